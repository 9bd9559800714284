import type { FinalityTag } from '../chain.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { refusalKindOf, ResponseTooLongError, RpcError } from '../rpc-error.pure.js';
import { type EvmHeader, toHeader, toObject } from './evm-wire.pure.js';
import { isHashOfHeader } from './header-hash.pure.js';
import { hex, isRefusal, type NativeCapability, probeNativeCapability } from './native-transfers.js';

/** Features of an endpoint, as probed when it was last taken into use. */
export interface EvmCapabilities {
  native: NativeCapability;
  /** eth_getBlockReceipts; without it receipts are requested one by one. */
  blockReceipts: boolean;
  /** Supports the block tag "finalized". */
  finalizedTag: boolean;
  /** Supports the block tag "safe". */
  safeTag: boolean;
  /** Largest span in blocks that eth_getLogs accepted; 0: none. */
  logRange: number;
}

/** Spans to try; hosted nodes cap them at anything from 5 to 10,000 blocks. */
const LOG_SPANS = [10_000, 2_000, 500, 100, 10, 5, 1];
/** No contract has this address, so the response is short for any span. */
const UNUSED_ADDRESS = '0x000000000000000000000000000000000000dEaD';
const NO_EVENT = `0x${'ff'.repeat(32)}`;

const UNKNOWN_HEADERS =
  'headers whose hash this version can recompute: large transfers wait until a second endpoint confirms them';

/** What a node offers, and what it lacks in words for the operator. */
export interface ProbedFeatures {
  capabilities: EvmCapabilities;
  needs: readonly string[];
}

/**
 * @param needsProofs whether blocks have to be proven by their hash
 * @throws RpcError when a feature could not be probed, rather than assuming that it is missing
 */
export async function probeCapabilities(rpc: JsonRpc, needsProofs: boolean): Promise<ProbedFeatures> {
  const shown = await rpc.call('eth_getBlockByNumber', 'latest', false);
  const latest = toHeader(shown);
  const [{ native, refusals }, blockReceipts, finalizedTag, safeTag, logRange] = await Promise.all([
    probeNativeCapability(rpc, latest),
    showsReceipts(rpc, latest),
    namesBlock(rpc, 'finalized'),
    namesBlock(rpc, 'safe'),
    probeLogRange(rpc, latest.height),
  ]);
  const needs = native === 'transactions' ? [lackOfTraces(refusals)] : [];
  if (needsProofs && !isHashOfHeader(toObject(shown, 'block'))) needs.push(UNKNOWN_HEADERS);
  return { capabilities: { native, blockReceipts, finalizedTag, safeTag, logRange }, needs };
}

function lackOfTraces(refusals: readonly RpcError[]): string {
  const reason = refusals.find(({ kind }) => kind === 'plan-limit') ?? refusals[0];
  const words =
    'traces (trace_block or debug_traceBlockByHash): without them native coin paid by contracts is not detected';
  return reason ? `${words}. The node says: ${reason.message}` : words;
}

export function supportsTag({ finalizedTag, safeTag }: EvmCapabilities, tag: FinalityTag): boolean {
  return tag === 'safe' ? safeTag : finalizedTag;
}

/** By a block that is not new, or none may be there yet. Whatever is no list cannot be read: then logs are. */
async function showsReceipts(rpc: JsonRpc, { height, hash, parentHash }: EvmHeader): Promise<boolean> {
  try {
    return Array.isArray(await rpc.call('eth_getBlockReceipts', height > 0 ? parentHash : hash));
  } catch (error) {
    if (error instanceof ResponseTooLongError) return true;
    if (error instanceof RpcError && (error.isUnsupported || isRefusal(error))) return false;
    throw error;
  }
}

async function namesBlock(rpc: JsonRpc, tag: FinalityTag): Promise<boolean> {
  try {
    return (await rpc.call('eth_getBlockByNumber', tag, false)) !== null;
  } catch (error) {
    if (error instanceof RpcError && (error.isUnsupported || isRefusal(error))) return false;
    throw error;
  }
}

async function probeLogRange(rpc: JsonRpc, tip: number): Promise<number> {
  let most = Infinity;
  for (const span of LOG_SPANS) {
    if (span > most) continue;
    const range = { fromBlock: hex(Math.max(0, tip - span + 1)), toBlock: hex(tip) };
    try {
      await rpc.call('eth_getLogs', { ...range, address: UNUSED_ADDRESS, topics: [NO_EVENT] });
      return span;
    } catch (error) {
      // Some plans have no logs at all; any other refusal may be one of the span, so a shorter one is tried.
      const kind = refusalKindOf(error);
      if (!(error instanceof RpcError) || kind === 'rate-limit' || kind === 'unavailable') throw error;
      if (kind === 'unsupported') return 0;
      most = Math.min(most, error.refusal.blocks ?? span);
    }
  }
  return 0;
}
