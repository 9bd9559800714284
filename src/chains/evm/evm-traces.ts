import { ChainInconsistencyError } from '../chain-adapter.js';
import { malformed, toAddress, toHash, toList, toObject, toQuantity } from './evm-wire.js';

/** Native coin that one frame of a transaction moved for good. */
export interface NativeMove {
  txHash: string;
  /** Where the frame stands in the call tree; [] is the transaction itself. */
  path: number[];
  /** 20 bytes, lower case. */
  to: string;
  amount: bigint;
}

/** The EVM's own limit of nested calls; deeper is a lie. */
const MAX_DEPTH = 1_025;

/** Calls that run another's code on one's own account: nothing leaves it. */
const NO_MOVE: ReadonlySet<unknown> = new Set(['delegatecall', 'staticcall', 'callcode']);

interface Frame {
  path: number[];
  failed: boolean;
  /** Null: this kind of frame moves nothing (delegatecall, staticcall). */
  move: { from: string; to: string; amount: bigint } | null;
}

/**
 * What `trace_block` rows credit. A frame that fails takes all below it back, although those say nothing of it.
 * @throws ChainInconsistencyError when a row is of another block, or a transaction has no trace
 */
export function readParityTraces(
  reply: unknown,
  block: { hash: string; transactionHashes: readonly string[] },
): NativeMove[] {
  const frames = new Map<string, Frame[]>(block.transactionHashes.map((hash) => [hash, []]));
  for (const item of toList(reply, 'trace list')) {
    const row = toObject(item, 'trace');
    // The method takes a number, so a reorg between two calls shows here only.
    if (toHash(row['blockHash'], 'trace block hash') !== block.hash) {
      throw new ChainInconsistencyError('the node sent traces of another block');
    }
    // Block rewards belong to no transaction and to nobody who pays.
    if (row['type'] === 'reward') continue;
    const owner = frames.get(toHash(row['transactionHash'], 'trace transaction hash'));
    if (!owner) throw new ChainInconsistencyError('the node sent a trace of a transaction outside the block');
    owner.push(toParityFrame(row));
  }
  return movesOf(frames);
}

/** What a `callTracer` reply credits, in the order of the block's transactions. @throws ChainInconsistencyError */
export function readCallTraces(
  reply: unknown,
  block: { transactionHashes: readonly string[] },
): NativeMove[] {
  const items = toList(reply, 'trace list');
  if (items.length !== block.transactionHashes.length) {
    throw new ChainInconsistencyError('the node sent traces for another number of transactions');
  }
  const frames = new Map<string, Frame[]>();
  block.transactionHashes.forEach((hash, position) => {
    const item = toObject(items[position], 'trace');
    // Nodes before 2023 send no txHash.
    if (item['txHash'] !== undefined && toHash(item['txHash'], 'trace transaction hash') !== hash) {
      throw new ChainInconsistencyError('the node sent traces in another order');
    }
    frames.set(hash, flatten(item['result']));
  });
  return movesOf(frames);
}

function movesOf(byTransaction: ReadonlyMap<string, readonly Frame[]>): NativeMove[] {
  const moves: NativeMove[] = [];
  for (const [txHash, frames] of byTransaction) {
    const paths = new Set(frames.map(({ path }) => path.join('.')));
    if (!paths.has('')) throw new ChainInconsistencyError(`the node sent no trace of transaction ${txHash}`);
    if (paths.size !== frames.length) throw new ChainInconsistencyError('the node sent a trace twice');
    const failed = new Set(frames.filter((frame) => frame.failed).map(({ path }) => path.join('.')));
    for (const { path, move } of frames) {
      if (!move || move.amount === 0n || move.from === move.to) continue;
      const reverted = path.some((_, depth) => failed.has(path.slice(0, depth).join('.')));
      if (reverted || failed.has(path.join('.'))) continue;
      moves.push({ txHash, path, to: move.to, amount: move.amount });
    }
  }
  return moves;
}

function toParityFrame(row: Record<string, unknown>): Frame {
  const path = toList(row['traceAddress'], 'trace address').map((step) => {
    if (!Number.isSafeInteger(step) || Number(step) < 0) throw malformed('trace address');
    return Number(step);
  });
  if (path.length > MAX_DEPTH) throw malformed('trace address');
  const failed = hasFailed(row);
  return { path, failed, move: failed ? null : toParityMove(row) };
}

function toParityMove(row: Record<string, unknown>): Frame['move'] {
  const action = toObject(row['action'], 'trace action');
  switch (row['type']) {
    case 'call':
      if (NO_MOVE.has(action['callType'])) return null;
      if (action['callType'] !== 'call') throw malformed('call type');
      return toMove(action['from'], action['to'], action['value']);
    case 'create':
      return toMove(action['from'], toObject(row['result'], 'trace result')['address'], action['value']);
    case 'suicide':
      return toMove(action['address'], action['refundAddress'], action['balance']);
    default:
      throw malformed('trace type');
  }
}

/** The tree as a list, without recursion: a node may send a tree deeper than our stack. */
function flatten(root: unknown): Frame[] {
  const frames: Frame[] = [];
  const open: { value: unknown; path: number[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (path.length > MAX_DEPTH) throw malformed('trace depth');
    const call = toObject(value, 'trace result');
    const failed = hasFailed(call);
    frames.push({ path, failed, move: failed ? null : toCallMove(call) });
    const children = call['calls'] === undefined ? [] : toList(call['calls'], 'trace calls');
    children.forEach((child, position) => open.push({ value: child, path: [...path, position] }));
  }
  return frames;
}

function toCallMove(call: Record<string, unknown>): Frame['move'] {
  switch (call['type']) {
    case 'CALL':
    case 'CREATE':
    case 'CREATE2':
    case 'SELFDESTRUCT':
      return toMove(call['from'], call['to'], call['value'] ?? '0x0');
    case 'DELEGATECALL':
    case 'STATICCALL':
    case 'CALLCODE':
      return null;
    default:
      throw malformed('trace type');
  }
}

/** Nodes name the reason; success has none. */
function hasFailed({ error }: Record<string, unknown>): boolean {
  if (error === undefined || error === null) return false;
  if (typeof error !== 'string') throw malformed('trace error');
  return true;
}

function toMove(from: unknown, to: unknown, amount: unknown): Frame['move'] {
  return {
    from: toAddress(from, 'trace sender'),
    to: toAddress(to, 'trace recipient'),
    amount: toQuantity(amount, 'trace value'),
  };
}
