import { randomBytes } from 'node:crypto';
import type { ChainAdapter } from '../../src/chains/chain-adapter.pure.js';
import type { Chain, ChainAsset } from '../../src/chains/chain.pure.js';
import { EvmAdapter } from '../../src/chains/evm/evm-adapter.js';
import { EvmPool } from '../../src/chains/evm/evm-pool.js';
import { JsonRpc, type JsonRpcOptions } from '../../src/chains/json-rpc.js';
import type { AdapterDriver } from '../chain-adapter.contract.js';
import type { Hex, TestChain } from './anvil.js';
import { evmDriver } from './evm-driver.js';
import { TestClock } from './test-clock.js';

/** The chain's settings for the adapter. */
export interface AdapterSettings extends JsonRpcOptions {
  /** Listed contracts. */
  tokens?: readonly string[];
  chainId?: number;
  /** Of the catalog; default: Ethereum's, without its proofs. */
  like?: Pick<Chain, 'slug' | 'provable'>;
  /** By asset, in its smallest unit. */
  agreeFrom?: ReadonlyMap<string, bigint>;
  proveFrom?: ReadonlyMap<string, bigint>;
  /** Of the first endpoint of a pool, which is the faulty one. */
  firstDeadlineMs?: number;
}

/** An adapter of several endpoints, with a test clock. */
export interface TestPool {
  pool: EvmPool;
  clock: TestClock;
}

/** Makes adapters and closes their connections together. */
export class EvmAdapters {
  private readonly clients: JsonRpc[] = [];

  create(url: string, { tokens = [], chainId = 31_337, like, ...options }: AdapterSettings = {}): EvmAdapter {
    const rpc = new JsonRpc(url, { clock: new TestClock(), ...options });
    this.clients.push(rpc);
    return new EvmAdapter({ ...evmChain(tokens, chainId), ...like }, rpc);
  }

  /** @param hedgeDelayMs long by default: a busy machine must not look like a slow endpoint */
  createPool(
    urls: readonly string[],
    {
      tokens = [],
      chainId = 31_337,
      like,
      agreeFrom,
      proveFrom,
      firstDeadlineMs,
      ...options
    }: AdapterSettings = {},
    hedgeDelayMs = 5_000,
  ): TestPool {
    const clock = new TestClock();
    const clients = urls.map((url, index) => {
      const own = index === 0 && firstDeadlineMs !== undefined && { deadlineMs: firstDeadlineMs };
      return new JsonRpc(url, { clock, ...options, ...own });
    });
    this.clients.push(...clients);
    const chain = {
      ...evmChain(tokens, chainId),
      ...like,
      ...(agreeFrom && { agreeFrom }),
      ...(proveFrom && { proveFrom }),
    };
    return { pool: new EvmPool(chain, clients, clock, hedgeDelayMs), clock };
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

export function evmChain(tokens: readonly string[], chainId: number): Chain {
  const native: ChainAsset = { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null };
  return {
    slug: 'ethereum',
    name: 'Ethereum',
    family: 'evm',
    chainId,
    testnet: true,
    assets: [
      native,
      ...tokens.map((asset): ChainAsset => ({
        asset,
        currencyCode: 'USDT',
        decimals: 6,
        tokenStandard: 'ERC-20',
      })),
    ],
    confirmationsRequired: 3,
    averageBlockSeconds: 2,
    reorgWindow: 64,
    explorerTxUrl: null,
  };
}

/** The 20 bytes that deposit addresses are matched on. */
export function keyOf(address: string): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}

/** The signed bytes, with which {@link TestChain.reorg} mines the very same transaction again. */
export async function rawTransaction(chain: TestChain, hash: string): Promise<Hex> {
  return chain.rpc<Hex>('eth_getRawTransactionByHash', [hash]);
}

/** Mines one block and returns its height. */
export async function mineOne(chain: TestChain): Promise<number> {
  await chain.mine();
  return chain.blockNumber();
}

/** A new address, so its balance is what it was paid. */
export function newAddress(): Hex {
  return `0x${randomBytes(20).toString('hex')}`;
}

/** The contract suite's way to act on a node that the adapter reads. */
export async function startDriver(
  node: TestChain,
  adapter: ChainAdapter,
  misnamed: ChainAdapter,
): Promise<AdapterDriver> {
  return { ...(await evmDriver(node)), adapter, misnamed };
}
