import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { printable } from '../node-http.js';
import { malformed, toAddress, toHash, toList, toObject, toQuantity } from './evm-wire.pure.js';

/** Native coin moved by one frame of a transaction that was not reverted. */
export interface NativeMove {
  txHash: string;
  /** Path of the frame in the call tree, not counting idle calls; [] is the transaction itself. */
  path: number[];
  /** Path by the node's own count. */
  shownPath: number[];
  /** 20 bytes, lower case. */
  to: string;
  amount: bigint;
}

/** The EVM's limit of nested calls; a deeper trace is false. */
const MAX_DEPTH = 1_025;

/** Calls that run other code on the caller's own account, so they transfer nothing. */
const NO_MOVE: ReadonlySet<unknown> = new Set(['delegatecall', 'staticcall', 'callcode']);

/**
 * 0x01 to 0x1ff: every precompiled contract so far, including those of Arbitrum (from 0x64), BSC (from 0x64) and
 * P256VERIFY (0x100, EIP-7951). For addresses in the range without a precompile the rule is harmless: a call that
 * transfers nothing and calls nothing is skipped at every endpoint alike. 0x0 is not a precompile and is often called by
 * mistake.
 */
const PRECOMPILE = /^0x0{37}(?!000)[01][0-9a-f]{2}$/i;
const NOTHING = /^0x0*$/;

interface Frame {
  path: number[];
  failed: boolean;
  /** A call to a precompile that transfers nothing: some nodes count it as a frame, others omit it. */
  isIdle: boolean;
  /** What it does to a contract: that of `to` begins, or that of `from` ends. */
  effect: 'creates' | 'destroys' | null;
  /** Null for frames that transfer nothing (delegatecall, staticcall). */
  move: { from: string; to: string; amount: bigint } | null;
}

/** What the traces of some transactions show. */
export interface TracedTransactions {
  /** Transfers by transaction; without those whose trace cannot be read. */
  moves: ReadonlyMap<string, readonly NativeMove[]>;
  /** Transactions without a readable trace, and why. */
  unread: ReadonlyMap<string, ChainInconsistencyError>;
}

/** A block, or a part of it: the transactions that are expected. */
interface TracedBlock {
  hash: string;
  transactionHashes: readonly string[];
}

/** As {@link readParityTransactions}. @throws ChainInconsistencyError also when one trace cannot be read */
export function readParityTraces(reply: unknown, block: TracedBlock): NativeMove[] {
  return allMoves(readParityTransactions(reply, block));
}

/** As {@link readCallTransactions}. @throws ChainInconsistencyError also when one trace cannot be read */
export function readCallTraces(reply: unknown, block: Pick<TracedBlock, 'transactionHashes'>): NativeMove[] {
  return allMoves(readCallTransactions(reply, block));
}

function allMoves({ moves, unread }: TracedTransactions): NativeMove[] {
  for (const error of unread.values()) throw error;
  return [...moves.values()].flat();
}

/**
 * Transfers in `trace_block` or `trace_transaction` rows. A failed frame reverts all below it, although their rows do not
 * say so.
 * @throws ChainInconsistencyError when a row is of another block
 */
export function readParityTransactions(reply: unknown, block: TracedBlock): TracedTransactions {
  const rows = new Map<string, Record<string, unknown>[]>(block.transactionHashes.map((hash) => [hash, []]));
  for (const item of toList(reply, 'trace list')) {
    const row = toObject(item, 'trace');
    // The method takes a number, so only this check detects a reorg between two calls.
    if (toHash(row['blockHash'], 'trace block hash') !== block.hash) {
      throw new ChainInconsistencyError('the node sent traces of another block');
    }
    // Block rewards belong to no transaction.
    if (row['type'] === 'reward') continue;
    const owner = rows.get(toHash(row['transactionHash'], 'trace transaction hash'));
    if (!owner) throw new ChainInconsistencyError('the node sent a trace of a transaction outside the block');
    owner.push(row);
  }
  return readEach(block, (hash) => (rows.get(hash) ?? []).map(toParityFrame));
}

/** Transfers in a `callTracer` response, in the order of the block's transactions. @throws ChainInconsistencyError */
export function readCallTransactions(
  reply: unknown,
  block: Pick<TracedBlock, 'transactionHashes'>,
): TracedTransactions {
  const items = toList(reply, 'trace list');
  if (items.length !== block.transactionHashes.length) {
    throw new ChainInconsistencyError('the node sent traces for another number of transactions');
  }
  const results = new Map<string, Record<string, unknown>>();
  block.transactionHashes.forEach((hash, position) => {
    const item = toObject(items[position], 'trace');
    // Nodes before 2023 send no txHash.
    if (item['txHash'] !== undefined && toHash(item['txHash'], 'trace transaction hash') !== hash) {
      throw new ChainInconsistencyError('the node sent traces in another order');
    }
    results.set(hash, item);
  });
  return readEach(block, (hash) => {
    const { error, result } = results.get(hash) ?? {};
    // go-ethereum: of a transaction that it could not trace, e.g. in time.
    if (result === undefined && typeof error === 'string')
      throw new ChainInconsistencyError(`the node could not trace a transaction: ${printable(error)}`);
    return flatten(result);
  });
}

/** One transaction whose trace cannot be read says nothing about the others. */
function readEach(
  { transactionHashes }: Pick<TracedBlock, 'transactionHashes'>,
  framesOf: (txHash: string) => readonly Frame[],
): TracedTransactions {
  const moves = new Map<string, NativeMove[]>();
  const unread = new Map<string, ChainInconsistencyError>();
  for (const txHash of transactionHashes) {
    try {
      moves.set(txHash, movesOf(txHash, framesOf(txHash)));
    } catch (error) {
      if (!(error instanceof ChainInconsistencyError)) throw error;
      unread.set(txHash, error);
    }
  }
  return { moves, unread };
}

function movesOf(txHash: string, frames: readonly Frame[]): NativeMove[] {
  const moves: NativeMove[] = [];
  const paths = new Set(frames.map(({ path }) => path.join('.')));
  if (!paths.has('')) throw new ChainInconsistencyError(`the node sent no trace of transaction ${txHash}`);
  if (paths.size !== frames.length) throw new ChainInconsistencyError('the node sent a trace twice');
  const failed = new Set(frames.filter((frame) => frame.failed).map(({ path }) => path.join('.')));
  const idle = idleSteps(frames);
  const kept = frames.filter(({ path }) => {
    const reverted = path.some((_, depth) => failed.has(path.slice(0, depth).join('.')));
    return !reverted && !failed.has(path.join('.'));
  });
  const ends = endsOf(kept);
  for (const { path, move } of kept) {
    if (!move || move.amount === 0n || move.from === move.to) continue;
    const { to, amount } = move;
    const end = ends.get(to);
    if (end && isAfter(path, end)) continue;
    moves.push({ txHash, path: withoutIdle(path, idle), shownPath: path, to, amount });
  }
  return moves;
}

/**
 * Where contracts end that this transaction created: with it, the chain deletes their accounts and all that they were
 * paid since (EIP-6780). Older ones only send away what they have.
 */
function endsOf(frames: readonly Frame[]): ReadonlyMap<string, readonly number[]> {
  const created = new Set(
    frames.flatMap(({ effect, move }) => (effect === 'creates' && move ? [move.to] : [])),
  );
  const ends = new Map<string, readonly number[]>();
  for (const { effect, move, path } of frames) {
    if (effect !== 'destroys' || !move || !created.has(move.from)) continue;
    const known = ends.get(move.from);
    if (!known || isAfter(known, path)) ends.set(move.from, path);
  }
  return ends;
}

/** Whether a frame begins later than another: a caller before its calls, those in their order. */
function isAfter(path: readonly number[], other: readonly number[]): boolean {
  const at = path.findIndex((step, depth) => step !== other[depth]);
  if (at < 0) return false;
  return (path[at] ?? 0) > (other[at] ?? -1);
}

/**
 * Indexes of idle calls among their siblings, by the path of their caller. `trace_block` omits them and does not count
 * them (OpenEthereum's rule: Erigon, Nethermind, reth); `callTracer` counts them (geth), and so does anvil's
 * `trace_block`. Without this, one payment would be `call:0` at one node and `call:1` at another.
 */
function idleSteps(frames: readonly Frame[]): ReadonlyMap<string, number[]> {
  const steps = new Map<string, number[]>();
  const idle = frames.filter(({ isIdle, path }) => isIdle && path.length > 0);
  if (idle.length === 0) return steps;
  // A frame with calls of its own is never idle: their paths build on its index.
  const callers = new Set(frames.map(({ path }) => path.slice(0, -1).join('.')));
  for (const { path } of idle) {
    if (callers.has(path.join('.'))) continue;
    const caller = path.slice(0, -1).join('.');
    const places = steps.get(caller) ?? [];
    places.push(path.at(-1) ?? 0);
    steps.set(caller, places);
  }
  return steps;
}

/** Path without idle calls. Different paths stay different, because only idle siblings are skipped. */
function withoutIdle(path: readonly number[], idle: ReadonlyMap<string, number[]>): number[] {
  return path.map((step, depth) => {
    const left = idle.size === 0 ? [] : (idle.get(path.slice(0, depth).join('.')) ?? []);
    return step - left.filter((place) => place < step).length;
  });
}

function toParityFrame(row: Record<string, unknown>): Frame {
  const path = toList(row['traceAddress'], 'trace address').map((step) => {
    if (!Number.isSafeInteger(step) || Number(step) < 0) throw malformed('trace address');
    return Number(step);
  });
  if (path.length > MAX_DEPTH) throw malformed('trace address');
  const failed = hasFailed(row);
  const { type } = row;
  const effect = type === 'create' ? 'creates' : type === 'suicide' ? 'destroys' : null;
  return { path, failed, isIdle: isIdleRow(row), effect, move: failed ? null : toParityMove(row) };
}

function isIdleRow({ type, action }: Record<string, unknown>): boolean {
  if (type !== 'call') return false;
  const { callType, to, value } = toObject(action, 'trace action');
  // A delegated call repeats its caller's value without transferring it.
  return isPrecompile(to) && (NO_MOVE.has(callType) || isNothing(value));
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

/** Flattens the tree without recursion, because a node may send a tree deeper than our stack. */
function flatten(root: unknown): Frame[] {
  const frames: Frame[] = [];
  const open: { value: unknown; path: number[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (path.length > MAX_DEPTH) throw malformed('trace depth');
    const call = toObject(value, 'trace result');
    const failed = hasFailed(call);
    const { type } = call;
    const effect =
      type === 'CREATE' || type === 'CREATE2' ? 'creates' : type === 'SELFDESTRUCT' ? 'destroys' : null;
    frames.push({ path, failed, isIdle: isIdleCall(call), effect, move: failed ? null : toCallMove(call) });
    const children = call['calls'] === undefined ? [] : toList(call['calls'], 'trace calls');
    children.forEach((child, position) => open.push({ value: child, path: [...path, position] }));
  }
  return frames;
}

function isIdleCall({ type, to, value }: Record<string, unknown>): boolean {
  if (!isPrecompile(to)) return false;
  return NO_MOVE.has(String(type).toLowerCase()) || (type === 'CALL' && isNothing(value));
}

function isPrecompile(address: unknown): boolean {
  return typeof address === 'string' && PRECOMPILE.test(address);
}

function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && NOTHING.test(value));
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

/** Failed frames carry a reason. */
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
