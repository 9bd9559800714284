import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { type JsonRpc, LIMIT_EXCEEDED, type RpcCall, RpcError } from '../json-rpc.js';
import { type NativeMove, readCallTraces, readParityTraces } from './evm-traces.js';
import { type EvmHeader, toFullBlock } from './evm-wire.pure.js';

/**
 * How a node shows native coin, best first:
 * `trace_block` (Erigon, Reth, Nethermind, anvil) and `debug_traceBlockByHash` (geth's debug API) show every call,
 * so also what a contract pays on: exchanges and smart wallets pay that way.
 * Full blocks show the transactions' own value only; a contract's payment is then not seen.
 */
export type NativeCapability = 'trace_block' | 'debug_traceBlockByHash' | 'transactions';

const CALL_TRACER = { tracer: 'callTracer' };
const NO_BLOCK = `0x${'0'.repeat(64)}`;

/** Asks the node which way it offers. @throws RpcError when it could not be asked: never a silent step down */
export async function probeNativeCapability(
  rpc: JsonRpc,
  latest: Pick<EvmHeader, 'height'>,
): Promise<NativeCapability> {
  if (await isOffered(rpc.call('trace_block', hex(latest.height)))) return 'trace_block';
  // A block that nobody has: the method's own complaint is enough to know that it is there.
  const debug = rpc.call('debug_traceBlockByHash', NO_BLOCK, CALL_TRACER);
  return (await isOffered(debug, isComplaint)) ? 'debug_traceBlockByHash' : 'transactions';
}

/** The call that reads a block's native coin in the node's way. */
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

/** @throws ChainInconsistencyError when the answer is of another block or leaves a transaction out */
export function readNativeMoves(
  capability: NativeCapability,
  header: EvmHeader,
  reply: unknown,
): NativeMove[] {
  switch (capability) {
    case 'trace_block':
      return readParityTraces(reply, header);
    case 'debug_traceBlockByHash':
      return readCallTraces(reply, header);
    case 'transactions':
      return readTransactions(reply, header);
  }
}

function readTransactions(reply: unknown, header: EvmHeader): NativeMove[] {
  const block = toFullBlock(reply);
  if (block.header.hash !== header.hash) throw new ChainInconsistencyError('the node sent another block');
  if (block.header.transactionHashes.join() !== header.transactionHashes.join()) {
    throw new ChainInconsistencyError('the node sent other transactions of the same block');
  }
  return block.transactions.flatMap(({ hash, from, to, value }) =>
    to === null || value === 0n || to === from
      ? []
      : [{ txHash: hash, path: [], shownPath: [], to, amount: value }],
  );
}

/** @throws RpcError when the node failed in a way that tells nothing about the method */
export async function isOffered(
  call: Promise<unknown>,
  meansOffered: (error: RpcError) => boolean = () => false,
): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.isUnsupported) return false;
    if (meansOffered(error)) return true;
    throw error;
  }
}

/** The method ran and refused its argument. */
function isComplaint(error: RpcError): boolean {
  return error.code !== null && error.code !== LIMIT_EXCEEDED;
}

/** A quantity as EIP-1474 writes it. */
export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
