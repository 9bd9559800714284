import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/kernel/clock.pure.js';
import { RpcError } from './rpc-error.pure.js';

/** Milliseconds of the first pause when the endpoint names none; doubles with each consecutive refusal. */
const FIRST_PAUSE_MS = 100;
/** Milliseconds of the longest pause that an endpoint may impose: it is not trusted, and quotas are raised. */
const LONGEST_IMPOSED_MS = 600_000;
/**
 * Milliseconds that one request may wait in all: less than a watcher's lease. Pauses that we choose are no longer, so
 * that one request at a time still finds out whether the limit is over.
 */
const PATIENCE_MS = 4_000;
/** Pauses that one request waits for. */
const LONGEST_SERIES = 8;

/** Permission to send one request. */
interface Turn {
  /** Number of the pause that it was sent after. */
  readonly after: number;
}

/** How long a request, or a list of them, has waited so far, and may wait. */
export interface Patience {
  leftMs: number;
  /** Pauses in a row without a request that was accepted. */
  pauses: number;
  /** The last pause that was waited for, and the last that a refusal followed: concurrent requests share them. */
  waited: number;
  followed: number;
}

/**
 * Keeps to the pace of one endpoint: after a rate limit no request is sent until the pause is over. A request waits for
 * that within its patience, else it fails as rate-limited; the endpoint is not contacted meanwhile.
 */
export class RequestPacer {
  /** Milliseconds since 1970. */
  private until = 0;
  private pauses = 0;
  /** Consecutive. */
  private refusals = 0;
  private reason: RpcError | null = null;
  private readonly patienceMs: number;

  /** @param deadlineMs of one request; a request waits no longer than that */
  constructor(
    private readonly clock: Clock,
    deadlineMs: number,
  ) {
    this.patienceMs = Math.min(PATIENCE_MS, deadlineMs);
  }

  /** Milliseconds since 1970 until which nothing is sent. */
  get pausedUntil(): number {
    return this.until;
  }

  /** Sends a request, and again after each pause. @throws RpcError of kind `rate-limit` when patience ends */
  async run<T>(label: string, send: () => Promise<T>, patience = this.startPatience()): Promise<T> {
    for (;;) {
      const turn = await this.turn(label, patience);
      try {
        const value = await send();
        this.accepted(patience);
        return value;
      } catch (error) {
        if (!(error instanceof RpcError) || error.kind !== 'rate-limit') throw error;
        this.refused(turn, error, patience);
      }
    }
  }

  /** @param requests how many times as long as one request the work may wait */
  startPatience(requests = 1): Patience {
    return { leftMs: requests * this.patienceMs, pauses: 0, waited: 0, followed: -1 };
  }

  /** Waits until a request may be sent. @throws RpcError of kind `rate-limit` when that takes too long */
  async turn(label: string, patience: Patience): Promise<Turn> {
    for (let ms = this.remainingMs(); ms > 0; ms = this.remainingMs()) {
      if (ms > patience.leftMs) throw this.pausing(label, ms);
      if (patience.waited !== this.pauses) patience.leftMs -= ms;
      const pause = (patience.waited = this.pauses);
      await delay(ms);
      // It was waited for, even where a test's clock stands still.
      if (pause === this.pauses) this.until = 0;
    }
    if (patience.pauses >= LONGEST_SERIES) throw this.pausing(label, 0);
    return { after: this.pauses };
  }

  /** Begins a pause. Of requests sent before the same pause only the first begins one. */
  refused(turn: Turn, error: RpcError, patience: Patience): void {
    if (patience.followed !== turn.after) patience.pauses++;
    patience.followed = turn.after;
    if (turn.after !== this.pauses) return;
    this.pauses++;
    const imposed = error.refusal.pauseMs;
    const chosen = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.refusals++, 20), this.patienceMs);
    const ms = imposed === null ? chosen : Math.min(Math.max(imposed, FIRST_PAUSE_MS), LONGEST_IMPOSED_MS);
    this.reason = error;
    this.until = this.now() + ms;
  }

  accepted(patience: Patience): void {
    this.refusals = 0;
    patience.pauses = 0;
  }

  private pausing(label: string, ms: number): RpcError {
    const why = this.reason ? ` (${this.reason.message})` : '';
    const detail = `rate limited: no requests for another ${Math.ceil(ms / 1_000)} s${why}`;
    return new RpcError(label, detail, { kind: 'rate-limit', blocks: null, pauseMs: ms });
  }

  private remainingMs(): number {
    return Math.max(0, this.until - this.now());
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
