import { ChainInconsistencyError, type TransferCandidate, type UnreadTraces } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { refusalKindOf, RpcError } from '../rpc-error.pure.js';
import {
  readCallTransactions,
  readParityTransactions,
  type NativeMove,
  type TracedTransactions,
} from './evm-traces.js';
import type { EvmHeader } from './evm-wire.pure.js';
import {
  CALL_TRACER,
  type NativeCapability,
  nativeCall,
  nativeCandidate,
  readTransactions,
} from './native-transfers.js';

/** Transactions that are traced at the same time. */
const CONCURRENT = 4;

/** How a node traces; `transactions` is no way of tracing. */
type Tracing = Exclude<NativeCapability, 'transactions'>;

/** What is known so far of a block's native transfers. */
interface Progress {
  readonly moves: Map<string, readonly NativeMove[]>;
  /** Why a transaction could not be traced; the latest reason. */
  readonly failures: Map<string, string>;
  /** Set when the node says that it can trace nothing of this block. */
  refusal: string | null;
}

/** Of a block, or of some of its transactions. */
interface NativeTransfers {
  candidates: TransferCandidate[];
  unread: UnreadTraces | null;
}

/**
 * Reads the native transfers of a block whose traces cannot be read as a whole: from the whole answer what is readable of
 * it, then transaction by transaction. What remains is unread (specification/chains.md#unread-traces): of those
 * transactions only the own value is known. Strangers decide how long a trace is and how long it takes, so answers are
 * shortened while they arrive, and the time for all of them is limited.
 */
export class TransactionTraces {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * @param budgetMs milliseconds for all traces
   * @param only one transaction of the block; default: all
   * @throws RpcError when the node limits our rate: then the block is read later
   */
  async read(header: EvmHeader, tracing: Tracing, budgetMs: number, only?: string): Promise<NativeTransfers> {
    const deadline = performance.now() + budgetMs;
    const direct = readTransactions(
      await this.rpc.callCut(budgetMs, 'eth_getBlockByHash', header.hash, true),
      header,
    );
    const progress: Progress = { moves: new Map(), failures: new Map(), refusal: null };
    if (only === undefined) await this.traceBlock(header, tracing, deadline, progress);
    const asked = only === undefined ? header.transactionHashes : [only];
    await this.traceEach(header, tracing, deadline, progress, asked);
    const left = asked.filter((txHash) => !progress.moves.has(txHash));
    return {
      candidates: [
        ...[...progress.moves.values()].flat().map((move) => nativeCandidate(move, tracing)),
        ...direct
          .filter(({ txHash }) => left.includes(txHash))
          .map((move) => nativeCandidate(move, 'transactions')),
      ],
      unread: left.length === 0 ? null : toUnread(left, progress),
    };
  }

  private async traceBlock(
    header: EvmHeader,
    tracing: Tracing,
    deadline: number,
    progress: Progress,
  ): Promise<void> {
    const [method, params] = nativeCall(tracing, header);
    const found = await settle(async () => {
      const reply = await this.rpc.callCut(msUntil(deadline), method, ...params);
      return tracing === 'trace_block'
        ? readParityTransactions(reply, header)
        : readCallTransactions(reply, header);
    });
    if (!(found instanceof Error)) return add(progress, found);
    if (isRateLimit(found)) throw found;
    if (refusesAll(found)) progress.refusal = found.message;
  }

  /** Those that failed in the whole block come last, so that they do not use up the time of the others. */
  private async traceEach(
    header: EvmHeader,
    tracing: Tracing,
    deadline: number,
    progress: Progress,
    asked: readonly string[],
  ): Promise<void> {
    const open = asked.filter((txHash) => !progress.moves.has(txHash));
    const isFailed = (txHash: string) => progress.failures.has(txHash);
    const order = [...open.filter((txHash) => !isFailed(txHash)), ...open.filter(isFailed)];
    let isLimited = false;
    for (let i = 0; i < order.length && !isLimited && progress.refusal === null; i += CONCURRENT) {
      if (msUntil(deadline) <= 1) return;
      await Promise.all(
        order.slice(i, i + CONCURRENT).map(async (txHash) => {
          const found = await settle(() => this.trace(header, txHash, tracing, deadline));
          if (!(found instanceof Error)) return add(progress, found);
          progress.failures.set(txHash, found.message);
          if (refusesAll(found)) progress.refusal = found.message;
          isLimited ||= isRateLimit(found);
        }),
      );
    }
  }

  /** By itself: where the node has both methods, and the first shows nothing readable, by the other. */
  private async trace(
    { hash }: EvmHeader,
    txHash: string,
    tracing: Tracing,
    deadline: number,
  ): Promise<TracedTransactions> {
    const block = { hash, transactionHashes: [txHash] };
    if (tracing !== 'trace_block') return this.traceCalls(block, txHash, deadline);
    const shown = await settle(async () =>
      readParityTransactions(await this.rpc.callCut(msUntil(deadline), 'trace_transaction', txHash), block),
    );
    if (!(shown instanceof Error) && shown.unread.size === 0) return shown;
    const called = await settle(() => this.traceCalls(block, txHash, deadline));
    if (!(called instanceof Error)) return called;
    // A node without the other method does not refuse the first with that.
    const isWorse = refusesAll(called) && !refusesAll(shown);
    if (!isWorse) throw called;
    if (shown instanceof Error) throw shown;
    return shown;
  }

  private async traceCalls(
    block: { transactionHashes: readonly string[] },
    txHash: string,
    deadline: number,
  ): Promise<TracedTransactions> {
    // By default go-ethereum gives up after 5 seconds.
    const options = { ...CALL_TRACER, timeout: `${Math.ceil(msUntil(deadline) / 1_000)}s` };
    const result = await this.rpc.callCut(msUntil(deadline), 'debug_traceTransaction', txHash, options);
    return readCallTransactions([{ txHash, result }], block);
  }
}

/** What failed in a way that is no defect of ours. */
async function settle<T>(work: () => Promise<T>): Promise<T | RpcError | ChainInconsistencyError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError || error instanceof ChainInconsistencyError) return error;
    throw error;
  }
}

function add({ moves, failures }: Progress, found: TracedTransactions): void {
  for (const [txHash, list] of found.moves) moves.set(txHash, list);
  for (const [txHash, error] of found.unread) failures.set(txHash, error.message);
}

function toUnread(left: readonly string[], { moves, failures, refusal }: Progress): UnreadTraces {
  const reason = refusal ?? [...failures.values()].at(-1) ?? 'there was no time left to trace them';
  if (refusal !== null && moves.size === 0) return { txHashes: null, reason };
  const isFailed = (txHash: string) => failures.has(txHash);
  return { txHashes: [...left.filter((one) => !isFailed(one)), ...left.filter(isFailed)], reason };
}

/** At least one: an expired deadline fails the request, which is then reported like any other. */
function msUntil(deadline: number): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}

function isRateLimit(error: unknown): boolean {
  return refusalKindOf(error) === 'rate-limit';
}

/** The node does not keep, or does not offer, what is needed: nothing of the block can be traced there. */
function refusesAll(error: unknown): error is RpcError {
  return error instanceof RpcError && error.isUnsupported;
}
