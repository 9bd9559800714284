import { z } from 'zod';
import {
  apiKey,
  coinAmounts,
  confirmations,
  describeProblems,
  difficulty,
  floors,
  httpUrl,
  integer,
  pollInterval,
  rpcUrls,
  tokens,
  walletRpcUrls,
} from './config-fields.js';

/** A token contract, as its chain writes it; `decimals` are configured, never read from the chain. */
export interface TokenConfig {
  code: string;
  contract: string;
  decimals: number;
}

/** Networks of all families; each family refuses those that it does not have. */
const NETWORKS = ['mainnet', 'testnet', 'regtest', 'testnet4', 'signet', 'nile', 'shasta'] as const;

/** One chain that this gateway watches. */
export interface ChainConfig {
  slug: string;
  /** In order of preference; empty only if {@link ChainConfig.esploraUrl} is set. */
  rpcUrls: string[];
  /** UTXO chains: an Esplora-compatible HTTP endpoint instead of a node. */
  esploraUrl?: string;
  /** Overrides the catalog's chain id, for development chains and test networks. */
  chainId?: number;
  /** The network of a UTXO chain or of Tron; default: the main one. */
  network?: (typeof NETWORKS)[number];
  /** Sent to the node as a header, where its kind of node has one. */
  apiKey?: string;
  /** Overrides the catalog's token contracts. */
  tokens?: TokenConfig[];
  /** Blocks, counting the one that holds the transfer. */
  confirmations?: number;
  /** What larger amounts require, blocks or a tag; `amount` is a plain decimal, in whole coins. */
  confirmationTiers?: { code: string; amount: string; required: number | 'safe' | 'finalized' }[];
  /** Limits for an application's own setting; default: no less than the number above. */
  confirmationsMin?: number;
  confirmationsMax?: number;
  /** When funds count as received; default: the catalog's. */
  finality?: 'depth' | 'finalized';
  /**
   * Amounts from which two endpoints have to agree on a transfer; `amount` is a plain decimal, in whole coins. Empty:
   * never; absent: the default amounts, where there are endpoints on two hosts.
   */
  agreeFrom?: { code: string; amount: string }[];
  /**
   * Amounts from which a transfer has to be proven by its block; as {@link ChainConfig.agreeFrom}. Absent: the default
   * amounts, where there are no endpoints on two hosts.
   */
  proveFrom?: { code: string; amount: string }[];
  /** Below these, alone or in sum, funds decide nothing; `amount` is a plain decimal, in whole coins. */
  floors?: { code: string; amount: string }[];
  /** Minimum difficulty of a block, in the unit of `getdifficulty`; 0: not checked. */
  minDifficulty?: number;
  /** EVM chains: when the native coin is offered; default: `traced`. */
  nativeOffer?: 'traced' | 'always';
  /** EVM chains: public addresses that wallets of customers may add the network with; absent: they must have it. */
  walletRpcUrls?: string[];
  /** Between two polls of this chain; default: by its block time. */
  pollIntervalMs?: number;
  /** Height at which a new cursor starts; default: `reorgWindow` blocks below the tip. */
  startHeight?: number;
}

const chainSchema = z.object({
  RPC_URL: rpcUrls.optional(),
  ESPLORA_URL: httpUrl.optional(),
  CHAIN_ID: integer(1, 2 ** 48).optional(),
  NETWORK: z.enum(NETWORKS).optional(),
  API_KEY: apiKey.optional(),
  TOKENS: tokens.optional(),
  CONFIRMATIONS: confirmations.optional(),
  CONFIRMATIONS_MIN: integer(1, 10_000).optional(),
  CONFIRMATIONS_MAX: integer(1, 10_000).optional(),
  FINALITY: z.enum(['depth', 'finalized']).optional(),
  AGREE_FROM: coinAmounts.optional(),
  PROVE_FROM: coinAmounts.optional(),
  FLOORS: floors.optional(),
  NATIVE: z.enum(['traced', 'always']).optional(),
  WALLET_RPC_URL: walletRpcUrls.optional(),
  MIN_DIFFICULTY: difficulty.optional(),
  POLL_INTERVAL_MS: pollInterval.optional(),
  START_HEIGHT: integer(0, 2 ** 48).optional(),
});
const CHAIN_KEY = new RegExp(`^CHAIN_([A-Z0-9_]+?)_(${Object.keys(chainSchema.shape).join('|')})$`);

/** Whether {@link readChains} reads a variable of this name. */
export function isChainKey(name: string): boolean {
  return CHAIN_KEY.test(name);
}

/** Whether two of the endpoints are on different hosts, so that one can check the other. */
export function hasSecondHost(rpcUrls: readonly string[]): boolean {
  return new Set(rpcUrls.map((url) => new URL(url).host)).size > 1;
}

/**
 * Reads CHAIN_<SLUG>_* into one entry per chain, e.g. CHAIN_ETHEREUM_RPC_URL; "_" stands for the "-" of a slug.
 * @param isNeeded whether no chain at all is a problem
 */
export function readChains(env: NodeJS.ProcessEnv, isNeeded: boolean, problems: string[]): ChainConfig[] {
  const groups = new Map<string, Record<string, string>>();
  for (const [key, value] of Object.entries(env)) {
    const [, slug, field] = CHAIN_KEY.exec(key) ?? [];
    if (!slug || !field || !value) continue;
    groups.set(slug, { ...groups.get(slug), [field]: value });
  }
  if (isNeeded && groups.size === 0) {
    problems.push('CHAIN_<SLUG>_RPC_URL: at least one chain is required, e.g. CHAIN_ETHEREUM_RPC_URL');
  }
  const chains: ChainConfig[] = [];
  for (const [name, fields] of groups) {
    const parsed = chainSchema.safeParse(fields);
    if (!parsed.success) {
      problems.push(...describeProblems(parsed.error, `CHAIN_${name}_`));
      continue;
    }
    const { ESPLORA_URL, CHAIN_ID, NETWORK, API_KEY, TOKENS, FINALITY, AGREE_FROM, START_HEIGHT } =
      parsed.data;
    const {
      CONFIRMATIONS,
      CONFIRMATIONS_MIN,
      CONFIRMATIONS_MAX,
      MIN_DIFFICULTY,
      NATIVE,
      PROVE_FROM,
      FLOORS,
      POLL_INTERVAL_MS,
      WALLET_RPC_URL,
    } = parsed.data;
    const RPC_URL = parsed.data.RPC_URL ?? [];
    if (RPC_URL.length === 0 && !ESPLORA_URL) {
      problems.push(`CHAIN_${name}_RPC_URL: is required`);
      continue;
    }
    if (RPC_URL.length > 0 && ESPLORA_URL) {
      problems.push(`CHAIN_${name}_ESPLORA_URL: replaces CHAIN_${name}_RPC_URL; set only one of the two`);
    }
    if (AGREE_FROM?.length && !hasSecondHost(RPC_URL)) {
      problems.push(
        `CHAIN_${name}_AGREE_FROM: needs two endpoints on different hosts in CHAIN_${name}_RPC_URL`,
      );
    }
    if (PROVE_FROM?.length && hasSecondHost(RPC_URL)) {
      problems.push(`CHAIN_${name}_PROVE_FROM: with endpoints on two hosts use CHAIN_${name}_AGREE_FROM`);
    }
    if (WALLET_RPC_URL?.some((url) => RPC_URL.includes(url))) {
      problems.push(
        `CHAIN_${name}_WALLET_RPC_URL: lists an endpoint of CHAIN_${name}_RPC_URL, which customers would use up`,
      );
    }
    chains.push({
      slug: name.toLowerCase().replaceAll('_', '-'),
      rpcUrls: RPC_URL,
      ...(ESPLORA_URL && { esploraUrl: ESPLORA_URL }),
      ...(CHAIN_ID !== undefined && { chainId: CHAIN_ID }),
      ...(NETWORK && { network: NETWORK }),
      ...(API_KEY && { apiKey: API_KEY }),
      ...(TOKENS && { tokens: TOKENS }),
      ...CONFIRMATIONS,
      ...(CONFIRMATIONS_MIN !== undefined && { confirmationsMin: CONFIRMATIONS_MIN }),
      ...(CONFIRMATIONS_MAX !== undefined && { confirmationsMax: CONFIRMATIONS_MAX }),
      ...(FINALITY && { finality: FINALITY }),
      ...(AGREE_FROM && { agreeFrom: AGREE_FROM }),
      ...(PROVE_FROM && { proveFrom: PROVE_FROM }),
      ...(FLOORS && { floors: FLOORS }),
      ...(NATIVE && { nativeOffer: NATIVE }),
      ...(WALLET_RPC_URL && { walletRpcUrls: WALLET_RPC_URL }),
      ...(MIN_DIFFICULTY !== undefined && { minDifficulty: MIN_DIFFICULTY }),
      ...(POLL_INTERVAL_MS !== undefined && { pollIntervalMs: POLL_INTERVAL_MS }),
      ...(START_HEIGHT !== undefined && { startHeight: START_HEIGHT }),
    });
  }
  return chains;
}
