import { type JsonRpc, LIMIT_EXCEEDED, RpcError } from '../json-rpc.js';
import { toHeader } from './evm-wire.pure.js';
import { hex, isOffered, type NativeCapability, probeNativeCapability } from './native-transfers.js';

/** What an endpoint offers, as it answered when it was last taken into use. */
export interface EvmCapabilities {
  native: NativeCapability;
  /** eth_getBlockReceipts; without it receipts are asked one by one. */
  blockReceipts: boolean;
  /** Names the newest block that its consensus will not take back (the tag "finalized"). */
  finalizedTag: boolean;
  /** Blocks that one eth_getLogs may span, as far as was tried; 0: not even one. */
  logRange: number;
}

/** Spans to try; hosted nodes cap them at anything from 5 to 10,000 blocks. */
const LOG_SPANS = [10_000, 2_000, 500, 100, 10, 5, 1];
/** No contract is there, so that the answer is short however long the span. */
const NOBODY = '0x000000000000000000000000000000000000dEaD';
const NO_EVENT = `0x${'ff'.repeat(32)}`;

/** @throws RpcError when it could not be asked: never a silent step down */
export async function probeCapabilities(rpc: JsonRpc): Promise<EvmCapabilities> {
  const latest = toHeader(await rpc.call('eth_getBlockByNumber', 'latest', false));
  const [native, blockReceipts, finalizedTag, logRange] = await Promise.all([
    probeNativeCapability(rpc, latest),
    isOffered(rpc.call('eth_getBlockReceipts', latest.hash), isRefusal),
    namesFinalBlock(rpc),
    probeLogRange(rpc, latest.height),
  ]);
  return { native, blockReceipts, finalizedTag, logRange };
}

async function namesFinalBlock(rpc: JsonRpc): Promise<boolean> {
  try {
    return (await rpc.call('eth_getBlockByNumber', 'finalized', false)) !== null;
  } catch (error) {
    if (error instanceof RpcError && isRefusal(error)) return false;
    throw error;
  }
}

async function probeLogRange(rpc: JsonRpc, tip: number): Promise<number> {
  for (const span of LOG_SPANS) {
    const range = { fromBlock: hex(Math.max(0, tip - span + 1)), toBlock: hex(tip) };
    try {
      await rpc.call('eth_getLogs', { ...range, address: NOBODY, topics: [NO_EVENT] });
      return span;
    } catch (error) {
      // Some say "limit exceeded" for too long a span: the next is shorter.
      if (!(error instanceof RpcError) || error.code === null) throw error;
    }
  }
  return 0;
}

/** It understood, and does not do it. */
function isRefusal(error: RpcError): boolean {
  return error.code !== null && error.code !== LIMIT_EXCEEDED;
}
