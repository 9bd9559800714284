import type { Clock } from '../platform/kernel/clock.pure.js';
import {
  afterAccepted,
  batchSizeAt,
  concurrentBatches,
  FIRST_BATCH,
  smallerThan,
} from './batch-size.pure.js';
import type { RpcCall } from './json-rpc-wire.js';
import type { Patience, RequestPacer } from './request-pacer.js';
import { RpcError } from './rpc-error.pure.js';

/** How the requests are sent. */
export interface RpcSender {
  single(call: RpcCall, patience: Patience, parse?: Parse): Promise<unknown>;
  /** Results and refusals in the order of the calls. @throws RpcError when all were refused together */
  together(calls: readonly RpcCall[], parse?: Parse): Promise<unknown[]>;
}

/** Reads the text of a response; undefined when it is no JSON. Default: JSON as it is. */
type Parse = (text: string) => unknown;

/** Outcome of one request. */
interface Outcome {
  /** Places of calls to send again. */
  again: readonly number[];
  /** Whether the node refused the batch for its size. */
  isTooLarge: boolean;
}

/** Waiting of one list of calls, in patiences of one request: a range that takes longer is read in smaller ones. */
const PATIENCES_PER_LIST = 3;

/**
 * Sends lists of calls in batches of a size that the node accepts, as it was learned from its refusals; an endpoint
 * without batches gets single calls, several at a time. What was rate-limited, or sent in a batch that was refused, is
 * sent again; the other results are kept.
 */
export class RpcBatches {
  private size = FIRST_BATCH;

  constructor(
    private readonly clock: Clock,
    private readonly pacer: RequestPacer,
    private readonly sender: RpcSender,
  ) {}

  /** Results in the order of the calls, with the RpcError of a refused one. @throws RpcError of the endpoint */
  async settle(calls: readonly RpcCall[], parse?: Parse): Promise<unknown[]> {
    const results: unknown[] = Array.from({ length: calls.length });
    const patience = this.pacer.startPatience(PATIENCES_PER_LIST);
    let pending = calls.map((_call, place) => place);
    let size = batchSizeAt(this.size, this.now());
    let wasRefused = false;
    while (pending.length > 0) {
      const sent = pending.slice(0, size * concurrentBatches(size));
      const outcomes = await Promise.all(
        inChunks(sent, size).map((places) => this.send(calls, places, results, patience, parse)),
      );
      if (outcomes.some(({ isTooLarge }) => isTooLarge)) {
        wasRefused = true;
        size = smallerThan(Math.min(size, sent.length));
      } else {
        this.size = afterAccepted(this.size, size, wasRefused, this.now());
        wasRefused = false;
      }
      pending = [...outcomes.flatMap(({ again }) => again), ...pending.slice(sent.length)];
    }
    return results;
  }

  private async send(
    calls: readonly RpcCall[],
    places: readonly number[],
    results: unknown[],
    patience: Patience,
    parse?: Parse,
  ): Promise<Outcome> {
    const chosen = places.map((place) => calls[place]).filter((call) => call !== undefined);
    const [only] = chosen;
    const [place] = places;
    if (only && place !== undefined && places.length === 1) {
      results[place] = await refusalOrResult(this.sender.single(only, patience, parse));
      return { again: [], isTooLarge: false };
    }
    const turn = await this.pacer.turn('a batch', patience);
    try {
      const replies = await this.sender.together(chosen, parse);
      const again = places.filter((at, i) => {
        const reply = replies[i];
        if (isToBeSentAgain(reply)) return true;
        results[at] = reply;
        return false;
      });
      const refusals = replies.filter(isToBeSentAgain);
      if (again.length < places.length) this.pacer.accepted(patience);
      const limited = refusals.find(({ kind }) => kind === 'rate-limit');
      if (limited) this.pacer.refused(turn, limited, patience);
      return { again, isTooLarge: refusals.some(({ kind }) => kind === 'batch-limit') };
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind === 'unavailable') throw error;
      if (error.kind !== 'rate-limit') return { again: places, isTooLarge: true };
      this.pacer.refused(turn, error, patience);
      return { again: places, isTooLarge: false };
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** Refused for how it was sent, not for what it asks. */
function isToBeSentAgain(reply: unknown): reply is RpcError {
  return reply instanceof RpcError && (reply.kind === 'rate-limit' || reply.kind === 'batch-limit');
}

/** @throws Error that says nothing about this call */
async function refusalOrResult(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.kind === 'unavailable' || error.kind === 'rate-limit') throw error;
    return error;
  }
}

function inChunks(list: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}
