import { Logger } from '@nestjs/common';
import type { Clock } from '../../platform/runtime/clock.pure.js';
import type { HedgedCall } from './hedged-request.js';
import {
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  isResting,
  lagOf,
  NEW_ENDPOINT,
  type Operation,
  withTip,
} from './endpoint-health.js';
import { type EvmAdapter, WrongNetworkError } from './evm-adapter.js';
import type { EvmCapabilities } from './evm-capabilities.js';

/** State of an endpoint for operators; without its URL, which often contains a key. */
export interface EndpointReport {
  /** Position in the configured list, from 1. */
  position: number;
  /** `refused`: of another chain, never used. `resting`: failed recently, asked only when no other responds. */
  state: 'unasked' | 'ok' | 'resting' | 'refused';
  /** Consecutive. */
  failures: number;
  lastError: string | null;
  tipHeight: number | null;
  /** Blocks behind the best endpoint. */
  lagBlocks: number | null;
  /** Null before it was probed. */
  capabilities: EvmCapabilities | null;
}

/** The endpoint must not serve this request, although it is healthy; not counted as a failure. */
export class NotEligibleError extends Error {}

/** Until a refused endpoint is asked for its chain id again, because it may have been corrected. */
const REFUSED_FOR_MS = 60_000;

/** One node and its health; used only after its chain id was checked, at the start and after each failure. */
export class EvmEndpoint {
  health: EndpointHealth = NEW_ENDPOINT;
  private readonly logger = new Logger('EvmEndpoint');
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
    const { position, capabilities } = this;
    const lagBlocks = this.isRefused ? null : lagOf(this.health, bestTip);
    const error = this.refusal?.reason ?? lastError;
    return { position, state: this.state(), failures, lastError: error, tipHeight, lagBlocks, capabilities };
  }

  /** A request to this endpoint whose outcome counts towards its health. */
  call<T>(operation: Operation, work: (endpoint: EvmEndpoint) => Promise<T | null>): HedgedCall<T> {
    let isOvertaken = false;
    const before = this.allFailures;
    return {
      run: async () => {
        try {
          await this.admit();
          const value = await work(this);
          if (!isOvertaken) this.succeed(operation, before);
          return value;
        } catch (error) {
          // A node that comes back may be a different node.
          this.isAdmitted = false;
          if (!isOvertaken) this.fail(operation, error, before);
          throw error;
        }
      },
      onOvertaken: () => {
        isOvertaken = true;
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
    this.health = withTip(this.health, height);
  }

  /** Records that it has no block at this height. */
  lacks(height: number): void {
    if ((this.health.tipHeight ?? height) >= height) this.health = withTip(this.health, height - 1);
  }

  private state(): EndpointReport['state'] {
    if (this.isRefused) return 'refused';
    if (isResting(this.health, this.now())) return 'resting';
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
    if (capabilities?.native === 'transactions') {
      this.logger.warn(about, 'the node has no traces: native coin paid by contracts is not detected');
    }
  }

  /** @param before failures when the request was sent: a request sent before a failure does not clear it */
  private succeed(operation: Operation, before: number): void {
    if (this.allFailures !== before) return;
    const { failures } = this.health;
    this.health = afterSuccess(this.health, operation);
    if (failures > 0 && this.health.failures === 0) {
      this.logger.log({ chain: this.node.chain, endpoint: this.position }, 'endpoint responds again');
    }
  }

  /** @param before failures when the request was sent: of concurrent requests that fail only one counts */
  private fail(operation: Operation, error: unknown, before: number): void {
    if (error instanceof WrongNetworkError || error instanceof NotEligibleError) return;
    if (this.allFailures !== before) return;
    this.allFailures++;
    const message = error instanceof Error ? error.message : String(error);
    this.health = afterFailure(this.health, operation, message, this.now());
    if (this.health.failures === 1) {
      const { chain } = this.node;
      this.logger.warn({ chain, endpoint: this.position, operation, error: message }, 'endpoint failed');
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
