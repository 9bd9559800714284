import { type ChainConfig, hasSecondHost, type TokenConfig } from '../config-chains.js';
import { ConfigError } from '../config.js';
import { findCurrency } from '../money/currencies.js';
import type { Chain, ChainAsset, ConfirmationTiers, FinalityTag } from './chain.pure.js';
import { familyOf } from './chain-families.pure.js';
import { confirmationBounds, defaultTiers, readTiers } from './required-confirmations.pure.js';
import { contractAsset, findContractAsset } from './contract-address.pure.js';
import { readFloors } from './floors.pure.js';
import { defaultLargeAmounts, readCoinAmounts } from './large-amounts.pure.js';
import { tokenStandardOn } from './token-contracts.pure.js';

const TAGS: readonly FinalityTag[] = ['safe', 'finalized'];

/**
 * The chains that this gateway watches: entries of the catalog with the operator's settings applied. A configured token
 * list replaces that of the catalog; the native coin always stays.
 * @throws ConfigError naming every unknown chain and token by variable
 */
export function registerChains(configured: readonly ChainConfig[], catalog: readonly Chain[]): Chain[] {
  const problems: string[] = [];
  const chains: Chain[] = [];
  for (const entry of configured) {
    const variable = `CHAIN_${entry.slug.toUpperCase().replaceAll('-', '_')}`;
    const known = catalog.find((chain) => chain.slug === entry.slug);
    if (!known) {
      const slugs = catalog.map((chain) => chain.slug).join(', ');
      problems.push(`${variable}_RPC_URL: the chain "${entry.slug}" is unknown; known chains: ${slugs}`);
      continue;
    }
    const misplaced = familyOf(known.family).configProblems(known, entry);
    problems.push(...misplaced.map((problem) => `${variable}_${problem}`));
    problems.push(...tokenProblems(known, entry).map((problem) => `${variable}_TOKENS: ${problem}`));
    const tokens = entry.tokens?.filter(({ contract }) => findContractAsset(known.family, contract) !== null);
    const native = known.assets.filter(({ asset }) => asset === 'native');
    // The catalog's contracts and explorer are valid on the main network only.
    const elsewhere =
      (entry.chainId !== undefined && entry.chainId !== known.chainId) ||
      (entry.network !== undefined && entry.network !== 'mainnet');
    const base = elsewhere ? { ...known, testnet: true, explorerTxUrl: null, assets: native } : known;
    const assets = tokens ? [...native, ...tokens.map((token) => toAsset(known, token))] : base.assets;
    // By default wherever two nodes can agree; on test networks nothing is at risk.
    const large = elsewhere ? [] : defaultLargeAmounts(assets);
    const hasTwo = hasSecondHost(entry.rpcUrls);
    const agreement = readCoinAmounts(entry.agreeFrom ?? (hasTwo ? large : []), assets);
    const proof = readCoinAmounts(entry.proveFrom ?? (hasTwo || !known.provable ? [] : large), assets);
    if (proof.from && !known.provable) proof.problems.push(`blocks of ${known.name} cannot be proven`);
    problems.push(...agreement.problems.map((problem) => `${variable}_AGREE_FROM: ${problem}`));
    problems.push(...proof.problems.map((problem) => `${variable}_PROVE_FROM: ${problem}`));
    const floors = readFloors({ ...base, assets }, entry.floors ?? []);
    problems.push(...floors.problems.map((problem) => `${variable}_FLOORS: ${problem}`));
    const finality = entry.finality ?? known.finality;
    const usualWait =
      finality === 'finalized'
        ? (known.blocksToFinality?.finalized ?? known.confirmationsRequired)
        : known.confirmationsRequired;
    const minDifficulty = entry.minDifficulty ?? (elsewhere ? undefined : known.minDifficulty);
    const { confirmationTiers: _replaced, requiredTags: _tags, minDifficulty: _known, ...rest } = base;
    const chain: Chain = {
      ...rest,
      chainId: entry.chainId ?? known.chainId,
      ...(known.network && { network: entry.network ?? known.network }),
      confirmationsRequired: entry.confirmations ?? usualWait,
      ...(finality && { finality }),
      ...(agreement.from && { agreeFrom: agreement.from }),
      ...(proof.from && { proveFrom: proof.from }),
      ...(floors.read && { floors: floors.read }),
      ...(entry.nativeOffer && { nativeOffer: entry.nativeOffer }),
      ...(minDifficulty !== undefined && { minDifficulty }),
      assets,
    };
    const confirmations = readConfirmations(chain, entry);
    problems.push(...confirmations.problems.map((problem) => `${variable}_${problem}`));
    chains.push({ ...chain, ...confirmations.read });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return chains;
}

/** Confirmations for large amounts, and bounds of what applications may configure. */
function readConfirmations(
  chain: Chain,
  { confirmations, confirmationTiers, confirmationsMin, confirmationsMax }: ChainConfig,
): {
  read: Pick<Chain, 'confirmationTiers' | 'confirmationsMin' | 'confirmationsMax' | 'requiredTags'>;
  problems: string[];
} {
  const own = chain.confirmationsRequired;
  if (chain.finality === 'finalized') {
    const misplaced = {
      CONFIRMATIONS: confirmationTiers,
      CONFIRMATIONS_MIN: confirmationsMin,
      CONFIRMATIONS_MAX: confirmationsMax,
    };
    const names = Object.entries(misplaced).filter(([, value]) => value !== undefined);
    return {
      read: { requiredTags: ['finalized'] },
      problems: names.map(
        ([name]) => `${name}: with FINALITY=finalized every amount waits until it is final`,
      ),
    };
  }
  const read = {
    ...(confirmationsMin !== undefined && { confirmationsMin }),
    ...(confirmationsMax !== undefined && { confirmationsMax }),
  };
  const { tiers, problems } = tiersOf(chain, confirmations, confirmationTiers);
  // Default tiers fall back to a number of blocks where no node has the tag; the operator's own do not.
  const requiredTags = TAGS.filter((tag) => confirmationTiers?.some(({ required }) => required === tag));
  const missing = requiredTags.filter((tag) => chain.blocksToFinality?.[tag] === undefined);
  const wrong = [
    ...problems,
    ...missing.map((tag) => `${chain.name} names no ${tag} block, so give a number of blocks`),
  ].map((problem) => `CONFIRMATIONS: ${problem}`);
  const bounds = confirmationBounds({ ...chain, ...read });
  if (bounds && bounds.min > own)
    wrong.push(`CONFIRMATIONS_MIN: must not be above ${own}, the chain's own number`);
  if (bounds && bounds.max < own)
    wrong.push(`CONFIRMATIONS_MAX: must not be below ${own}, the chain's own number`);
  return {
    read: {
      ...(tiers && { confirmationTiers: tiers }),
      ...(requiredTags.length > 0 && { requiredTags }),
      ...read,
    },
    problems: wrong,
  };
}

/** A configured number replaces the default tiers, too; on test networks nothing is at risk. */
function tiersOf(
  chain: Chain,
  confirmations: number | undefined,
  entries: ChainConfig['confirmationTiers'],
): { tiers: ConfirmationTiers | undefined; problems: string[] } {
  if (confirmations !== undefined) return readTiers(entries ?? [], chain.assets, confirmations);
  return { tiers: chain.testnet ? undefined : defaultTiers(chain.slug, chain.assets), problems: [] };
}

function toAsset(chain: Chain, { contract, code, decimals }: TokenConfig): ChainAsset {
  const tokenStandard = tokenStandardOn(chain.slug);
  return { asset: contractAsset(chain.family, contract), currencyCode: code, decimals, tokenStandard };
}

function tokenProblems(chain: Chain, { tokens }: ChainConfig): string[] {
  if (!tokens) return [];
  if (!familyOf(chain.family).contracts) return [`${chain.name} has none`];
  const problems: string[] = [];
  const seen = new Set<string>();
  const nativeCode = chain.assets.find(({ asset }) => asset === 'native')?.currencyCode;
  for (const { code, contract, decimals } of tokens) {
    if (findCurrency(code)?.type !== 'crypto') problems.push(`the currency "${code}" is unknown`);
    if (code === nativeCode) problems.push(`${code} is the native coin`);
    // uint256 has 78 digits; a token with more decimals than this would be useless.
    if (decimals > 36) problems.push(`${code} cannot have ${decimals} decimals`);
    const asset = findContractAsset(chain.family, contract);
    if (asset === null) problems.push(`${contract} is not a contract of ${chain.name}`);
    for (const once of [code, asset ?? contract]) {
      if (seen.has(once)) problems.push(`${once} is listed twice`);
      seen.add(once);
    }
  }
  return problems;
}
