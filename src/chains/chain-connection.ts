import type { Clock } from '../platform/kernel/clock.pure.js';
import type { ChainConfig } from '../config-chains.js';
import type { Chain } from './chain.pure.js';
import type { AccountReader } from './account-reader.pure.js';
import type { ChainAdapter } from './chain-adapter.pure.js';
import type { ChainAuditor, UnspentScanner } from './chain-auditor.pure.js';
import type { OutputReader } from './output-reader.pure.js';
import type { EndpointReport } from './evm/evm-endpoint.js';

/** One watched chain with everything that reads its nodes: the half of a family that does I/O. */
export interface ChainConnection {
  adapter: ChainAdapter;
  /** Null where the source has no second way to read the chain. */
  auditor: ChainAuditor | null;
  /** Null where the source has no set of unspent outputs. */
  scanner: UnspentScanner | null;
  /** Null where value is not in outputs. */
  outputs: OutputReader | null;

  /** Absent where balances are not of addresses. */
  accounts?: AccountReader;

  /** Whether an address is a contract now. Absent where addresses are of keys only, or the gateway never asks. */
  isContract?(key: Buffer): Promise<boolean>;

  /** In the operator's order; empty where the chain is read through one source only. */
  endpoints(): EndpointReport[];

  /** Waits for the requests under way. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Milliseconds for one request to a node. */
  deadlineMs: number;
  clock: Clock;
}

/** Opens nothing yet: nodes are contacted with the first request. */
export type Connect = (chain: Chain, config: ChainConfig, options: ConnectionOptions) => ChainConnection;

/** The preferred node. @throws Error when none is configured */
export function firstUrl({ slug }: Chain, { rpcUrls: [url] }: ChainConfig): string {
  if (url === undefined) throw new Error(`the chain "${slug}" has no node`);
  return url;
}
