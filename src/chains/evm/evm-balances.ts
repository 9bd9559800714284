import { type BlockRef, ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { toQuantity } from './evm-wire.pure.js';
import {
  type ContractCall,
  decodeResults,
  encodeCalls,
  MULTICALL3,
  nativeBalanceCall,
} from './multicall.pure.js';

/** Function selector of balanceOf(address) (EIP-20). */
const BALANCE_OF = '0x70a08231';
/**
 * Balances in one call of {@link MULTICALL3}, halved while the node refuses it. A token's balance takes up to 40,000 gas,
 * and nodes limit a call to 50 million.
 */
const MOST_TOGETHER = 600;

/** At exactly this block, with an error when it is no longer canonical (EIP-1898). */
export type ExactBlock = ReturnType<typeof exactly>;

export function exactly({ hash }: BlockRef) {
  return { blockHash: hash, requireCanonical: true };
}

/** Reads balances, many in one call where the chain has Multicall3. */
export class EvmBalances {
  /** Null: not found yet, so each list of keys looks again. */
  private hasMulticall: true | null = null;
  private keysTogether: number;

  /** @param assets `native` or the token's contract */
  constructor(
    private readonly rpc: Pick<JsonRpc, 'batch' | 'settle'>,
    private readonly assets: readonly string[],
  ) {
    this.keysTogether = Math.max(1, Math.floor(MOST_TOGETHER / assets.length));
  }

  /** By key, in the order of the assets. */
  async read(at: BlockRef, keys: readonly Buffer[]): Promise<bigint[][]> {
    if (keys.length === 0) return [];
    const block = exactly(at);
    this.hasMulticall ??= await this.findMulticall(block);
    return this.hasMulticall ? this.readTogether(block, keys) : this.readApart(block, keys);
  }

  /** Whether it tells its own balance as the node does: a chain may have put something else at the address. */
  private async findMulticall(block: ExactBlock): Promise<true | null> {
    const own = nativeBalanceCall(MULTICALL3.slice(2).padStart(64, '0'));
    const [reply, balance] = await this.rpc.settle([
      ['eth_call', [{ to: MULTICALL3, data: encodeCalls([own]) }, block]],
      ['eth_getBalance', [MULTICALL3, block]],
    ]);
    if (balance instanceof RpcError) throw balance;
    if (reply instanceof RpcError) return null;
    try {
      const [result] = decodeResults(reply, 1);
      return (result !== null && toUint256(result) === toQuantity(balance, 'balance')) || null;
    } catch (error) {
      if (error instanceof ChainInconsistencyError) return null;
      throw error;
    }
  }

  private async readTogether(block: ExactBlock, keys: readonly Buffer[]): Promise<bigint[][]> {
    const size = this.keysTogether;
    const chunks = Array.from({ length: Math.ceil(keys.length / size) }, (_, i) =>
      keys.slice(i * size, (i + 1) * size),
    );
    const replies = await this.rpc.settle(
      chunks.map((chunk): RpcCall => {
        const calls = chunk.flatMap((key) => this.assets.map((asset) => balanceCall(asset, key)));
        return ['eth_call', [{ to: MULTICALL3, data: encodeCalls(calls) }, block]];
      }),
    );
    const balances: bigint[][] = [];
    for (const [i, chunk] of chunks.entries())
      balances.push(...(await this.readReply(block, chunk, replies[i])));
    return balances;
  }

  private async readReply(block: ExactBlock, keys: readonly Buffer[], reply: unknown): Promise<bigint[][]> {
    if (reply instanceof RpcError) {
      // Refused for its size or its gas, or for a reason that a single call shows.
      if (keys.length === 1) return this.readApart(block, keys);
      this.keysTogether = Math.min(this.keysTogether, Math.ceil(keys.length / 2));
      return this.readTogether(block, keys);
    }
    const width = this.assets.length;
    const results = decodeResults(reply, keys.length * width);
    const balances: bigint[][] = [];
    for (const [i, key] of keys.entries()) {
      const own = results.slice(i * width, (i + 1) * width);
      // A call that failed is made again alone, for the node's reason.
      const isWhole = own.every((result) => result !== null);
      if (isWhole) balances.push(own.map((result) => toUint256(result)));
      else balances.push(...(await this.readApart(block, [key])));
    }
    return balances;
  }

  private async readApart(block: ExactBlock, keys: readonly Buffer[]): Promise<bigint[][]> {
    const calls = keys.flatMap((key) =>
      this.assets.map((asset): RpcCall =>
        asset === 'native'
          ? ['eth_getBalance', [`0x${key.toString('hex')}`, block]]
          : ['eth_call', [balanceCall(asset, key), block]],
      ),
    );
    const answers = (await this.rpc.batch(calls)).map(toUint256);
    const width = this.assets.length;
    return keys.map((_key, i) => answers.slice(i * width, (i + 1) * width));
  }
}

/** 32 bytes in hex without 0x. */
export function wordOf(key: Buffer): string {
  return key.toString('hex').padStart(64, '0');
}

function balanceCall(asset: string, key: Buffer): ContractCall {
  const word = wordOf(key);
  return asset === 'native' ? nativeBalanceCall(word) : { to: asset, data: `${BALANCE_OF}${word}` };
}

/** A call to an address without a contract returns no data, which means a balance of zero. */
function toUint256(value: unknown): bigint {
  return value === '0x' ? 0n : toQuantity(value, 'token balance');
}
