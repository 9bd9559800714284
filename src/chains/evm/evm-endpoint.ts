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

/** What an operator is told of an endpoint: never its address, which often holds a key. */
export interface EndpointReport {
  /** Its place in the configured list, from 1. */
  position: number;
  /** `refused`: of another chain, never used. `resting`: failed lately, asked only when no other answers. */
  state: 'unasked' | 'ok' | 'resting' | 'refused';
  /** In a row. */
  failures: number;
  lastError: string | null;
  tipHeight: number | null;
  /** Blocks behind the best endpoint. */
  lagBlocks: number | null;
  /** Null before it was asked. */
  capabilities: EvmCapabilities | null;
}

/** Thrown for an endpoint that is well and still must not answer; it does not count as its failure. */
export class NotEligibleError extends Error {}

/** A refused endpoint may have been corrected: milliseconds until it is asked again for its chain id. */
const REFUSED_FOR_MS = 60_000;

/** One node with its record: taken into use only after it has told the right chain id, and again after each failure. */
export class EvmEndpoint {
  health: EndpointHealth = NEW_ENDPOINT;
  private readonly logger = new Logger('EvmEndpoint');
  private refusal: { reason: string; at: number } | null = null;
  private isAdmitted = false;
  private admission: Promise<void> | null = null;
  /** Since the start: tells questions that were put before a failure from those that were put after it. */
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

  /** Why it is not used: for a message that names every endpoint. */
  get trouble(): string {
    return `endpoint ${this.position}: ${this.refusal?.reason ?? this.health.lastError ?? 'not asked yet'}`;
  }

  get mayBeAskedAgain(): boolean {
    return this.refusal !== null && this.now() - this.refusal.at >= REFUSED_FOR_MS;
  }

  report(bestTip: number | null): EndpointReport {
    const { failures, lastError, tipHeight } = this.health;
    const { position, capabilities } = this;
    const lagBlocks = this.isRefused ? null : lagOf(this.health, bestTip);
    const error = this.refusal?.reason ?? lastError;
    return { position, state: this.state(), failures, lastError: error, tipHeight, lagBlocks, capabilities };
  }

  /** A question to this endpoint whose outcome goes on its record. */
  ask<T>(operation: Operation, work: (endpoint: EvmEndpoint) => Promise<T | null>): HedgedCall<T> {
    let isLost = false;
    const before = this.allFailures;
    return {
      run: async () => {
        try {
          await this.admit();
          const value = await work(this);
          if (!isLost) this.succeed(operation, before);
          return value;
        } catch (error) {
          // A node that comes back may be another node.
          this.isAdmitted = false;
          if (!isLost) this.fail(operation, error, before);
          throw error;
        }
      },
      onOvertaken: () => {
        isLost = true;
        this.fail(operation, new Error('slower than another endpoint'), before);
      },
    };
  }

  /** Asks a refused endpoint, or a new one, who it is. */
  askToStart(): HedgedCall<true> {
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
        // It may still tell who it is; until then nobody asks it for more.
      },
    };
  }

  /** It said something that others, or what it says now, prove wrong. */
  markFaulty(operation: Operation, error: string): void {
    this.fail(operation, new Error(error), this.allFailures);
  }

  sawTip(height: number): void {
    this.health = withTip(this.health, height);
  }

  /** It has no such block. */
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
    if (this.refusal) this.logger.log(about, 'endpoint accepted after all');
    this.refusal = null;
    this.isAdmitted = true;
    const capabilities = this.capabilities;
    if (JSON.stringify(before) === JSON.stringify(capabilities)) return;
    this.logger.log({ ...about, ...capabilities }, 'endpoint in use');
    if (capabilities?.native === 'transactions') {
      this.logger.warn(about, 'the node offers no traces: native coin that a contract pays on is not seen');
    }
  }

  /** @param before failures when the question was put: what was asked before a failure does not make it good */
  private succeed(operation: Operation, before: number): void {
    if (this.allFailures !== before) return;
    const { failures } = this.health;
    this.health = afterSuccess(this.health, operation);
    if (failures > 0 && this.health.failures === 0) {
      this.logger.log({ chain: this.node.chain, endpoint: this.position }, 'endpoint answers again');
    }
  }

  /** @param before failures when the question was put: of questions that fail together only one counts */
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
