import { Logger } from '@nestjs/common';
import { FailureLog } from '../../platform/kernel/failure-log.pure.js';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import type { RefusalKind } from '../refusal.pure.js';
import { refusalKindOf } from '../rpc-error.pure.js';
import type { HedgedCall, Response } from './hedged-request.js';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  isResting,
  lagOf,
  NEW_ENDPOINT,
  type Operation,
  TOLERATED_LAG,
  withTip,
} from './endpoint-health.js';
import { type EvmAdapter, WrongNetworkError } from './evm-adapter.js';
import type { EvmCapabilities } from './evm-capabilities.js';

/** State of an endpoint for operators; without its URL, which often contains a key. */
export interface EndpointReport {
  /** Position in the configured list, from 1. */
  position: number;
  /**
   * `refused`: of another chain, never used. `resting`: failed recently, asked only when no other responds. `limited`: it
   * rate-limits us, which is not a failure. `lagging`: it does not have the newest blocks.
   */
  state: 'unasked' | 'ok' | 'lagging' | 'limited' | 'resting' | 'refused';
  /** Consecutive. */
  failures: number;
  lastError: string | null;
  tipHeight: number | null;
  /** Blocks behind the best endpoint. */
  lagBlocks: number | null;
  /** Null before it was probed. */
  capabilities: EvmCapabilities | null;
  /** What the operator has to provide: methods or data that the node or its plan lacks. */
  needs: readonly string[];
}

/** The endpoint must not serve this request, although it is healthy; not counted as a failure. */
export class NotEligibleError extends Error {}

/** Milliseconds until a request that a plan or node does not include is tried again; doubles with each refusal. */
const FIRST_WITHHELD_MS = 30_000;
const LONGEST_WITHHELD_MS = 120_000;

/** A refusal that only the operator can change. */
interface Withheld {
  error: Error;
  /** Consecutive. */
  times: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** Refusals of a node that is known and works: it need not be identified again. */
const STILL_KNOWN: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  'batch-limit',
  'range-limit',
  'result-limit',
  'rate-limit',
  'plan-limit',
  'unsupported',
  'lagging',
]);

/** After any other failure the node that comes back may be a different one. */
function isLost(error: unknown): boolean {
  const kind = refusalKindOf(error);
  return kind === null || !STILL_KNOWN.has(kind);
}

/** Until a refused endpoint is asked for its chain id again, because it may have been corrected. */
const REFUSED_FOR_MS = 60_000;

/** One node and its health; used only after its chain id was checked, at the start and after each failure. */
export class EvmEndpoint {
  private readonly logger = new Logger('EvmEndpoint');
  private readonly failures = new FailureLog();
  private recorded: EndpointHealth = NEW_ENDPOINT;
  private readonly withheld = new Map<Operation, Withheld>();
  /** The last rate limit, until a request succeeds. */
  private limitedBy: string | null = null;
  private isLagging = false;
  private refusal: { reason: string; at: number } | null = null;
  private isAdmitted = false;
  private admission: Promise<void> | null = null;
  /** Since the start; distinguishes requests sent before a failure from those sent after it. */
  private allFailures = 0;

  constructor(
    readonly position: number,
    readonly node: EvmAdapter,
    private readonly clock: Clock,
  ) {}

  get health(): EndpointHealth {
    return { ...this.recorded, pausedUntil: this.node.pausedUntil };
  }

  get capabilities(): EvmCapabilities | null {
    return this.node.capabilities;
  }

  get isRefused(): boolean {
    return this.refusal !== null;
  }

  /** Why it is not used, for a message that lists every endpoint. */
  get trouble(): string {
    return `endpoint ${this.position}: ${this.refusal?.reason ?? this.health.lastError ?? 'not asked yet'}`;
  }

  get mayBeRetried(): boolean {
    return this.refusal !== null && this.now() - this.refusal.at >= REFUSED_FOR_MS;
  }

  report(bestTip: number | null): EndpointReport {
    const { failures, lastError, tipHeight } = this.health;
    const { position, capabilities, needs } = this;
    const lagBlocks = this.isRefused ? null : lagOf(this.health, bestTip);
    const error = this.refusal?.reason ?? this.limitedBy ?? lastError;
    const state = this.state(lagBlocks);
    return { position, state, failures, lastError: error, tipHeight, lagBlocks, capabilities, needs };
  }

  private get needs(): string[] {
    const withheld = [...this.withheld.values()].map(({ error }) => error.message);
    return [...new Set([...this.node.needs, ...withheld])];
  }

  /** A request to this endpoint whose outcome counts towards its health. */
  call<T>(operation: Operation, work: (endpoint: EvmEndpoint) => Promise<T | null>): HedgedCall<T> {
    let isOvertaken = false;
    const before = this.allFailures;
    return {
      run: async () => {
        try {
          this.refuseWithheld(operation);
          await this.admit();
          const value = await work(this);
          if (!isOvertaken) this.succeed(operation, before);
          if (value !== null) this.isLagging = false;
          return value;
        } catch (error) {
          if (isLost(error)) this.isAdmitted = false;
          if (!isOvertaken) this.fail(operation, error, before);
          throw error;
        }
      },
      onOvertaken: () => {
        isOvertaken = true;
        // It is not slow, but waits until it may send the request again.
        if (this.node.pausedUntil > this.now()) return;
        this.fail(operation, new Error('slower than another endpoint'), before);
      },
    };
  }

  /** Checks the chain id of a new or refused endpoint. */
  callToStart(): HedgedCall<true> {
    return {
      run: async () => {
        const before = this.allFailures;
        try {
          await this.admit();
          this.succeed('start', before);
          return true;
        } catch (error) {
          this.fail('start', error, before);
          throw error;
        }
      },
      onOvertaken: () => {
        // The check may still succeed; until then the endpoint gets no other requests.
      },
    };
  }

  /** Records a response that was disproved by other endpoints or by a later response. */
  markFaulty(operation: Operation, error: string): void {
    this.fail(operation, new Error(error), this.allFailures);
  }

  sawTip(height: number): void {
    this.recorded = withTip(this.recorded, height);
  }

  /** Records that it has no block at this height. */
  lacks(height: number): void {
    if ((this.recorded.tipHeight ?? height) >= height) this.recorded = withTip(this.recorded, height - 1);
  }

  /** Records that it refused a request about this height, because it does not have the block yet. */
  lags(height: number): void {
    this.isLagging = true;
    this.lacks(height);
  }

  private state(lagBlocks: number | null): EndpointReport['state'] {
    if (this.isRefused) return 'refused';
    if (isResting(this.recorded, this.now())) return 'resting';
    if (this.limitedBy !== null) return 'limited';
    if (this.isLagging || (lagBlocks ?? 0) > TOLERATED_LAG) return 'lagging';
    return this.isAdmitted || this.capabilities ? 'ok' : 'unasked';
  }

  private admit(): Promise<void> {
    if (this.isAdmitted) return Promise.resolve();
    this.admission ??= this.start().finally(() => (this.admission = null));
    return this.admission;
  }

  private async start(): Promise<void> {
    const about = { chain: this.node.chain, endpoint: this.position };
    const before = this.capabilities;
    try {
      await this.node.probe();
    } catch (error) {
      if (error instanceof WrongNetworkError) {
        if (!this.refusal) this.logger.error({ ...about, error: error.message }, 'endpoint refused');
        this.refusal = { reason: error.message, at: this.now() };
      }
      throw error;
    }
    if (this.refusal) this.logger.log(about, 'endpoint accepted on retry');
    this.refusal = null;
    this.isAdmitted = true;
    const capabilities = this.capabilities;
    if (JSON.stringify(before) === JSON.stringify(capabilities)) return;
    this.logger.log({ ...about, ...capabilities }, 'endpoint in use');
    for (const need of this.node.needs) this.logger.warn({ ...about, need }, 'endpoint lacks a feature');
  }

  /** What a plan or node does not include is not asked for again at once. */
  private refuseWithheld(operation: Operation): void {
    const withheld = this.withheld.get(operation);
    if (withheld && withheld.until > this.now()) throw withheld.error;
  }

  private withhold(operation: Operation, error: Error): void {
    const times = (this.withheld.get(operation)?.times ?? 0) + 1;
    const ms = Math.min(FIRST_WITHHELD_MS * 2 ** Math.min(times - 1, 10), LONGEST_WITHHELD_MS);
    this.withheld.set(operation, { error, times, until: this.now() + ms });
  }

  /** @param before failures when the request was sent: a request sent before a failure does not clear it */
  private succeed(operation: Operation, before: number): void {
    this.limitedBy = null;
    this.withheld.delete(operation);
    if (this.allFailures !== before) return;
    this.recorded = afterSuccess(this.recorded, operation);
    const about = { chain: this.node.chain, endpoint: this.position };
    for (const ended of this.failures.ended(this.now()))
      this.logger.log({ ...about, ...ended }, 'endpoint responds again');
  }

  /** @param before failures when the request was sent: of concurrent requests that fail only one counts */
  private fail(operation: Operation, error: unknown, before: number): void {
    if (error instanceof WrongNetworkError || error instanceof NotEligibleError) return;
    const message = error instanceof Error ? error.message : String(error);
    const about = { chain: this.node.chain, endpoint: this.position, operation, error: message };
    const log = (what: string) => {
      if (this.failures.failed(`${what} ${message}`, this.now())) this.logger.warn(about, what);
    };
    switch (refusalKindOf(error)) {
      case 'rate-limit':
        this.limitedBy = message;
        return log('endpoint limits the rate of requests');
      case 'lagging':
        this.isLagging = true;
        return log('endpoint lags behind');
      case 'plan-limit':
      case 'unsupported':
        if (error instanceof Error && this.withheld.get(operation)?.error !== error) {
          this.withhold(operation, error);
          log('endpoint does not offer what is needed');
        }
        return;
    }
    if (this.allFailures !== before) return;
    this.allFailures++;
    this.recorded = afterFailure(this.recorded, operation, message, this.now());
    log('endpoint failed');
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** A response with the endpoint that sent it. */
export function withEndpoint<T>(
  value: T,
  endpoints: readonly EvmEndpoint[],
  { index }: Response<unknown>,
): { value: T; by: EvmEndpoint } {
  const by = endpoints[index];
  if (!by) throw new Error('endpoint index out of range');
  return { value, by };
}
