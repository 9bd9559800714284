import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { DEFAULT_DEADLINE_MS } from '../node-http.js';
import { RpcError } from '../rpc-error.pure.js';
import { type NativeMove, readCallTraces, readParityTraces } from './evm-traces.js';
import { type EvmHeader, type EvmTransaction, toFullBlock } from './evm-wire.pure.js';

/**
 * How a node shows transfers of the native coin, best first:
 * `trace_block` (Erigon, Reth, Nethermind, anvil) and `debug_traceBlockByHash` (geth's debug API) show every call, also
 * those by which contracts pay: exchanges and smart wallets pay that way.
 * Full blocks show the transactions' own value only, so payments by contracts are not detected.
 */
export type NativeCapability = 'trace_block' | 'debug_traceBlockByHash' | 'transactions';

export const CALL_TRACER = { tracer: 'callTracer' };
const NO_BLOCK = `0x${'0'.repeat(64)}`;

/** The best way that a node supports, and how it refused the better ones. */
export interface ProbedNative {
  native: NativeCapability;
  refusals: readonly RpcError[];
}

/** Finds the best way that the node supports. @throws RpcError when that is unknown, rather than settling for less */
export async function probeNativeCapability(
  rpc: JsonRpc,
  latest: Pick<EvmHeader, 'height'>,
): Promise<ProbedNative> {
  const refusals: RpcError[] = [];
  const note = (refusal: RpcError) => refusals.push(refusal);
  const trace = rpc.callCut(DEFAULT_DEADLINE_MS, 'trace_block', hex(latest.height));
  if (await isSupported(trace, () => false, note)) return { native: 'trace_block', refusals };
  // No node has this block: the method's own error shows that the method exists.
  const debug = rpc.call('debug_traceBlockByHash', NO_BLOCK, CALL_TRACER);
  const native = (await isSupported(debug, isRefusal, note)) ? 'debug_traceBlockByHash' : 'transactions';
  return { native, refusals };
}

/** The call that reads a block's native transfers. */
export function nativeCall(capability: NativeCapability, header: EvmHeader): RpcCall {
  switch (capability) {
    case 'trace_block':
      return ['trace_block', [hex(header.height)]];
    case 'debug_traceBlockByHash':
      return ['debug_traceBlockByHash', [header.hash, CALL_TRACER]];
    case 'transactions':
      return ['eth_getBlockByHash', [header.hash, true]];
  }
}

/** The traces of a block are not what they should be; its other parts may be. */
export class UnreadableTracesError extends ChainInconsistencyError {}

/** Whether a failure says nothing about the parts of a block that are no traces. */
export function isAboutTraces(error: unknown): boolean {
  if (error instanceof RpcError) return error.kind !== 'rate-limit' && /trace/i.test(error.label);
  return error instanceof UnreadableTracesError;
}

/** @throws ChainInconsistencyError when the response is for another block or omits a transaction */
export function readNativeMoves(
  capability: NativeCapability,
  header: EvmHeader,
  reply: unknown,
): NativeMove[] {
  if (capability === 'transactions') return readTransactions(reply, header);
  try {
    return capability === 'trace_block' ? readParityTraces(reply, header) : readCallTraces(reply, header);
  } catch (error) {
    if (!(error instanceof ChainInconsistencyError)) throw error;
    throw new UnreadableTracesError(error.message, { cause: error });
  }
}

/** `traced`: the trace has already shown success, so the receipt must agree. */
export interface NativeLocator {
  kind: 'native';
  path: readonly number[];
  traced: boolean;
}

/** A native transfer as a candidate. */
export function nativeCandidate(
  { txHash, path, to, amount }: NativeMove,
  capability: NativeCapability,
): TransferCandidate {
  const locator: NativeLocator = { kind: 'native', path, traced: capability !== 'transactions' };
  return { key: Buffer.from(to.slice(2), 'hex'), asset: 'native', amount, txHash, locator };
}

/** What the transactions of a block move themselves. @throws ChainInconsistencyError when it is another block */
export function readTransactions(reply: unknown, header: EvmHeader): NativeMove[] {
  const block = toFullBlock(reply);
  if (block.header.hash !== header.hash) throw new ChainInconsistencyError('the node sent another block');
  if (block.header.transactionHashes.join() !== header.transactionHashes.join()) {
    throw new ChainInconsistencyError('the node sent other transactions of the same block');
  }
  return movesOf(block.transactions);
}

/** What the transactions themselves move. */
export function movesOf(transactions: readonly EvmTransaction[]): NativeMove[] {
  return transactions.flatMap(({ hash, from, to, value }) =>
    to === null || value === 0n || to === from
      ? []
      : [{ txHash: hash, path: [], shownPath: [], to, amount: value }],
  );
}

/** @throws RpcError when the failure says nothing about whether the method is supported */
export async function isSupported(
  call: Promise<unknown>,
  meansSupported: (error: RpcError) => boolean = () => false,
  onUnsupported: (error: RpcError) => void = () => {},
): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.isUnsupported) {
      onUnsupported(error);
      return false;
    }
    if (meansSupported(error)) return true;
    throw error;
  }
}

/** The method exists, and the node understood the request and rejected its argument. */
export function isRefusal({ kind, isUnsupported }: RpcError): boolean {
  return !isUnsupported && kind !== 'rate-limit' && kind !== 'unavailable';
}

/** A quantity as EIP-1474 writes it. */
export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
