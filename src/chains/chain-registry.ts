import { type ChainConfig, ConfigError, type TokenConfig } from '../config.js';
import { findCurrency } from '../money/currencies.js';
import { parseDecimal } from '../money/money.js';
import type { Chain, ChainAsset } from './chain-catalogue.js';
import { tokenStandardOn } from './token-contracts.js';

/**
 * The chains that this gateway watches: the catalogue's entries with the configuration's changes.
 * A configured token list takes the place of the catalogue's; the native coin always stays.
 * @throws ConfigError naming every unknown chain and token by variable
 */
export function registerChains(configured: readonly ChainConfig[], catalogue: readonly Chain[]): Chain[] {
  const problems: string[] = [];
  const chains: Chain[] = [];
  for (const entry of configured) {
    const variable = `CHAIN_${entry.slug.toUpperCase().replaceAll('-', '_')}`;
    const known = catalogue.find((chain) => chain.slug === entry.slug);
    if (!known) {
      const slugs = catalogue.map((chain) => chain.slug).join(', ');
      problems.push(`${variable}_RPC_URL: the chain "${entry.slug}" is unknown; known chains: ${slugs}`);
      continue;
    }
    problems.push(...familyProblems(known, entry).map((problem) => `${variable}_${problem}`));
    problems.push(
      ...tokenProblems(known, entry.tokens ?? []).map((problem) => `${variable}_TOKENS: ${problem}`),
    );
    const native = known.assets.filter(({ asset }) => asset === 'native');
    // The catalogue's contracts and explorer are those of its own network only.
    const elsewhere =
      (entry.chainId !== undefined && entry.chainId !== known.chainId) ||
      (entry.network !== undefined && entry.network !== 'mainnet');
    const base = elsewhere ? { ...known, testnet: true, explorerTxUrl: null, assets: native } : known;
    const assets = entry.tokens
      ? [...native, ...entry.tokens.map((token) => toAsset(known, token))]
      : base.assets;
    const { agreeFrom, problems: wrong } = readAgreement(entry.agreeFrom ?? [], assets);
    problems.push(...wrong.map((problem) => `${variable}_AGREE_FROM: ${problem}`));
    const finality = entry.finality ?? known.finality;
    const usualWait =
      finality === 'finalized'
        ? (known.blocksToFinality ?? known.confirmationsRequired)
        : known.confirmationsRequired;
    chains.push({
      ...base,
      chainId: entry.chainId ?? known.chainId,
      ...(known.network && { network: entry.network ?? known.network }),
      confirmationsRequired: entry.confirmations ?? usualWait,
      ...(finality && { finality }),
      ...(agreeFrom && { agreeFrom }),
      assets,
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return chains;
}

/** Amounts from which two endpoints have to agree, in each asset's smallest unit. */
function readAgreement(
  entries: readonly { code: string; amount: string }[],
  assets: readonly ChainAsset[],
): { agreeFrom: ReadonlyMap<string, bigint> | null; problems: string[] } {
  const agreeFrom = new Map<string, bigint>();
  const problems: string[] = [];
  for (const { code, amount } of entries) {
    const asset = assets.find(({ currencyCode }) => currencyCode === code);
    const places = amount.split('.')[1]?.length ?? 0;
    if (!asset) problems.push(`the chain has no ${code}`);
    else if (places > asset.decimals) problems.push(`${code} has ${asset.decimals} decimals here`);
    else if (agreeFrom.has(asset.asset)) problems.push(`${code} is listed twice`);
    else agreeFrom.set(asset.asset, parseDecimal(amount, asset.decimals));
  }
  return { agreeFrom: agreeFrom.size > 0 ? agreeFrom : null, problems };
}

/** What belongs to chains of another family. */
function familyProblems(chain: Chain, entry: ChainConfig): string[] {
  if (chain.family === 'evm') {
    return entry.network === undefined ? [] : ['NETWORK: networks of EVM chains differ by CHAIN_ID'];
  }
  return [
    ...(entry.chainId === undefined
      ? []
      : [`CHAIN_ID: ${chain.name} has none; its networks differ by NETWORK`]),
    ...(entry.tokens === undefined ? [] : [`TOKENS: ${chain.name} has none`]),
    ...(entry.rpcUrls.length === 1 ? [] : [`RPC_URL: ${chain.name} is read through one node`]),
    ...(entry.finality === 'finalized' ? [`FINALITY: ${chain.name} is settled by depth`] : []),
    ...(entry.agreeFrom === undefined ? [] : [`AGREE_FROM: ${chain.name} is read through one node`]),
  ];
}

function toAsset(chain: Chain, { contract, code, decimals }: TokenConfig): ChainAsset {
  const tokenStandard = tokenStandardOn(chain.slug);
  return { asset: contract.toLowerCase(), currencyCode: code, decimals, tokenStandard };
}

function tokenProblems(chain: Chain, tokens: readonly TokenConfig[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const nativeCode = chain.assets.find(({ asset }) => asset === 'native')?.currencyCode;
  for (const { code, contract, decimals } of tokens) {
    if (findCurrency(code)?.type !== 'crypto') problems.push(`the currency "${code}" is unknown`);
    if (code === nativeCode) problems.push(`${code} is the native coin`);
    // uint256 has 78 digits; a token with more places than this has no use.
    if (decimals > 36) problems.push(`${code} cannot have ${decimals} decimals`);
    for (const once of [code, contract.toLowerCase()]) {
      if (seen.has(once)) problems.push(`${once} is listed twice`);
      seen.add(once);
    }
  }
  return problems;
}
