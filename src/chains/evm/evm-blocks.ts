import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import type { NativeMove } from './evm-traces.js';
import { type EvmHeader, toFullBlock, toHeader, toObject } from './evm-wire.pure.js';
import { hex, movesOf, type NativeCapability } from './native-transfers.js';

/** Milliseconds for which the newest block, once read as the tip, need not be requested again. */
const FRESH_MS = 1_000;

/** A block as eth_getBlockByNumber shows it. */
export interface ShownBlock {
  header: EvmHeader;
  /** What its transactions move; null when it was requested without them. */
  moves: NativeMove[] | null;
  /** As the node shows it. */
  json: Record<string, unknown>;
}

/**
 * Reads blocks by height with as few requests as possible: the tip, which was just requested, is not requested twice, and
 * where transactions are all that a node shows of the native coin, they come with the block.
 */
export class EvmBlocks {
  private newest: { block: ShownBlock; at: number } | null = null;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly chain: string,
  ) {}

  /** The newest block, which {@link take} returns once. */
  async tip(native: NativeCapability | null): Promise<EvmHeader> {
    const isFull = native === 'transactions';
    const block = toShown(await this.rpc.call('eth_getBlockByNumber', 'latest', isFull), isFull);
    this.newest = { block, at: this.now() };
    return block.header;
  }

  /** Null when the node does not have it. */
  async read(height: number, native: NativeCapability): Promise<ShownBlock | null> {
    const newest = this.take(height, native);
    if (newest) return newest;
    const [method, params] = callFor(height, native);
    return this.toBlock(await this.rpc.call(method, ...params), height, native);
  }

  /** The leading blocks that the node has, in one batch. */
  async readRange(from: number, count: number, native: NativeCapability): Promise<ShownBlock[]> {
    const newest = this.take(from + count - 1, native);
    const heights = Array.from({ length: newest ? count - 1 : count }, (_, i) => from + i);
    const replies = await this.rpc.batch(heights.map((height) => callFor(height, native)));
    const blocks: ShownBlock[] = [];
    for (const [i, reply] of replies.entries()) {
      const block = this.toBlock(reply, from + i, native);
      if (!block) return blocks;
      blocks.push(block);
    }
    return newest ? [...blocks, newest] : blocks;
  }

  /** Without transactions, and from the node in any case. */
  async header(height: number): Promise<EvmHeader | null> {
    return (await this.bare(height))?.header ?? null;
  }

  /** As {@link header}, with everything that the node shows of it. */
  async bare(height: number): Promise<ShownBlock | null> {
    const found = await this.rpc.call('eth_getBlockByNumber', hex(height), false);
    return this.toBlock(found, height, 'trace_block');
  }

  /** Once, because a block that was replaced meanwhile must not be returned again and again. */
  private take(height: number, native: NativeCapability): ShownBlock | null {
    const { newest } = this;
    if (newest?.block.header.height !== height) return null;
    this.newest = null;
    // Requested before it was known what the node shows.
    const isIncomplete = native === 'transactions' && !newest.block.moves;
    return isIncomplete || this.now() - newest.at > FRESH_MS ? null : newest.block;
  }

  private now(): number {
    return this.rpc.clock.now().getTime();
  }

  private toBlock(reply: unknown, height: number, native: NativeCapability): ShownBlock | null {
    if (reply === null) return null;
    const block = toShown(reply, native === 'transactions');
    if (block.header.height !== height)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another height`);
    return block;
  }
}

/**
 * Another block of the chain, to tell a node that is wrong about one block from a chain whose blocks are all of a form that
 * is not known here: the newest, or the one before a block that is itself the newest.
 */
export async function readAnother(
  rpc: JsonRpc,
  { height, hash }: EvmHeader,
  isFull: boolean,
): Promise<ShownBlock> {
  const newest = toShown(await rpc.call('eth_getBlockByNumber', 'latest', isFull), isFull);
  if (newest.header.hash !== hash) return newest;
  return toShown(await rpc.call('eth_getBlockByNumber', hex(height - 1), isFull), isFull);
}

function callFor(height: number, native: NativeCapability): RpcCall {
  return ['eth_getBlockByNumber', [hex(height), native === 'transactions']];
}

function toShown(reply: unknown, isFull: boolean): ShownBlock {
  const json = toObject(reply, 'block');
  if (!isFull) return { header: toHeader(json), moves: null, json };
  const { header, transactions } = toFullBlock(json);
  return { header, moves: movesOf(transactions), json };
}
