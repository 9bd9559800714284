import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../kernel/clock.pure.js';
import { ConflictError, GatewayError } from '../../kernel/errors/errors.pure.js';
import { failpoint } from '../../kernel/failpoints.js';
import { Keyring, UnsealError } from '../../kernel/keyring.js';
import { PollingLoops } from '../../database/polling-loop.js';
import { LoopName } from '../../kernel/loop-name.pure.js';
import { isTransient, sqlState } from '../../database/database-errors.pure.js';
import { Sql } from '../../database/sql.js';
import type { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import {
  type FinishedKey,
  IdempotencyKeyRepository,
  type RequestIdentity,
} from './idempotency-key.repository.js';

/** A request with an `Idempotency-Key` (specification/idempotency.md#idempotency-key). */
export type KeyedRequest = RequestIdentity & Pick<IdempotencyKeyEntity, 'bodyHash'>;

/** The stored response; `body` is null if there is none. */
export interface StoredResponse {
  status: number;
  body: string | null;
}

/** The request itself. */
export interface Action {
  /** All of its reads and writes go through {@link Sql}. */
  run: () => Promise<StoredResponse>;
  /**
   * Where the action can write its key itself, by the one statement of its effect: does so.
   * @param finish makes the row of the key
   * @throws KeyInUseError when the key is in use; nothing was written then
   */
  runWritingKey?: (finish: (response: StoredResponse) => FinishedKey) => Promise<StoredResponse>;
  /** The response to repeat if this request fails; null: a repeated request is processed again. */
  describeFailure: (error: unknown) => StoredResponse | null;
}

const LIFETIME_MS = 24 * 3_600 * 1_000;
/** How long a repeated request waits for the first one; `lock_timeout` limits the wait between processes. */
const WAIT_MS = 5_000;
const SEAL_PURPOSE = 'idempotent-answer';
const PURGE_INTERVAL_MS = 600_000;
const PURGE_BATCH = 1_000;
const LOCK_TIMEOUT = '55P03';

/** A request with this key is still being processed, or was. */
export class KeyInUseError extends ConflictError {
  constructor() {
    super('idempotency_in_progress', 'A request with this Idempotency-Key is still being processed.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/**
 * Makes a repeated request act once. Key, effect and response are written by one transaction ({@link Sql.unitOfWork}),
 * or by one statement: a process that dies leaves neither a payment without its key nor a key without its payment.
 * Concurrent requests wait for the first one to end, and return the same response.
 */
@Injectable()
export class IdempotencyService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Idempotency');
  /** Requests that this process is handling. Repeated ones wait for these without holding a connection. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly sql: Sql,
    private readonly keys: IdempotencyKeyRepository,
    private readonly clock: Clock,
    private readonly keyring: Keyring,
    private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.IdempotencyPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS }, () =>
      this.purgeExpired(),
    );
  }

  /**
   * Runs the action, or returns the response to the first request with this key.
   * An error rolls everything back, the key included; its response may then be stored for repeated requests.
   * @throws KeyInUseError when an earlier request takes longer than WAIT_MS
   */
  async once(request: KeyedRequest, action: Action): Promise<StoredResponse & { isReplayed: boolean }> {
    const name = nameOf(request);
    const start = performance.now();
    for (let earlier = this.running.get(name); earlier; earlier = this.running.get(name)) {
      const rest = WAIT_MS - (performance.now() - start);
      if (!(await endsWithin(rest, earlier))) throw new KeyInUseError();
    }
    // Nothing is awaited between the last check and here, so no other request can have started.
    const { runWritingKey } = action;
    const run = runWritingKey ? this.runShared(request, action, runWritingKey) : this.run(request, action);
    const ended = run.then(
      () => undefined,
      () => undefined,
    );
    this.running.set(name, ended);
    try {
      const response = await run;
      failpoint('idempotency.committed');
      return response;
    } finally {
      this.running.delete(name);
    }
  }

  /** Deletes expired keys; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    return (await this.keys.purge(this.clock.now(), PURGE_BATCH)) === PURGE_BATCH;
  }

  /**
   * Lets the action write the key with its effect, without looking first whether the key is in use: it hardly ever is,
   * and then nothing is written (docs/explanation/performance.md#a-payment-and-its-key-are-one-statement).
   */
  private async runShared(
    request: KeyedRequest,
    action: Action,
    runWritingKey: NonNullable<Action['runWritingKey']>,
  ): Promise<StoredResponse & { isReplayed: boolean }> {
    try {
      const made = await runWritingKey((response) => this.finish(request, response));
      return { ...made, isReplayed: false };
    } catch (error) {
      if (error instanceof Error && isTransient(error)) throw error;
      // An earlier request decides, also where this one would be refused now.
      const earlier = await this.find(request);
      if (earlier) return earlier;
      // In use by a request of another process, which has not ended: waits for it.
      if (error instanceof KeyInUseError) return this.run(request, action);
      const failure = action.describeFailure(error);
      if (failure) await this.keep(request, failure);
      throw error;
    }
  }

  private async run(
    request: KeyedRequest,
    action: Action,
  ): Promise<StoredResponse & { isReplayed: boolean }> {
    let hasActed = false;
    try {
      for (;;) {
        const response = await this.sql.unitOfWork(async () => {
          if (!(await this.reserve(request))) return this.find(request);
          hasActed = true;
          failpoint('idempotency.reserved');
          const made = await action.run();
          failpoint('idempotency.acted');
          await this.complete(request, made);
          return { ...made, isReplayed: false };
        });
        // Null: the earlier request's row was purged between two statements. The next turn acts itself.
        if (response) return response;
      }
    } catch (error) {
      const failure = hasActed ? action.describeFailure(error) : null;
      if (failure) await this.keep(request, failure);
      throw error;
    }
  }

  /** Stores the response of a request that had no effect, unless another request has stored one first. */
  private async keep(request: KeyedRequest, response: StoredResponse): Promise<void> {
    await this.sql.unitOfWork(async () => {
      if (await this.reserve(request)) await this.complete(request, response);
    });
  }

  private async reserve(request: KeyedRequest): Promise<boolean> {
    try {
      return await this.keys.reserve({ ...request, ...this.lifetime() });
    } catch (error) {
      throw sqlState(error) === LOCK_TIMEOUT ? new KeyInUseError() : error;
    }
  }

  private async complete(request: KeyedRequest, response: StoredResponse): Promise<void> {
    await this.keys.complete({ ...request, ...this.seal(request, response) });
  }

  private finish(request: KeyedRequest, response: StoredResponse): FinishedKey {
    return { ...request, ...this.lifetime(), ...this.seal(request, response) };
  }

  private lifetime(): Pick<IdempotencyKeyEntity, 'createdAt' | 'expiresAt'> {
    const createdAt = this.clock.now();
    return { createdAt, expiresAt: new Date(createdAt.getTime() + LIFETIME_MS) };
  }

  private seal(
    request: KeyedRequest,
    { status, body }: StoredResponse,
  ): Pick<IdempotencyKeyEntity, 'status' | 'sealedBody'> {
    return {
      status,
      sealedBody: body === null ? null : this.keyring.seal(SEAL_PURPOSE, nameOf(request), body),
    };
  }

  /** Null: no request has used the key in its lifetime. @throws GatewayError `idempotency_key_reused` */
  private async find(request: KeyedRequest): Promise<(StoredResponse & { isReplayed: boolean }) | null> {
    const row = await this.keys.find(request);
    if (!row || row.expiresAt <= this.clock.now()) return null;
    if (!row.bodyHash.equals(request.bodyHash))
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key was used before with another request body.',
        {
          hint: 'Use a key of its own for every order and attempt, such as the order number; keys are forgotten after 24 hours.',
        },
      );
    if (row.status === null) throw new Error('an idempotency key was committed without its response');
    return { status: row.status, body: this.unseal(request, row.sealedBody), isReplayed: true };
  }

  /** @throws GatewayError `idempotency_key_reused`: somebody changed it, or the key of the ring is gone */
  private unseal(request: KeyedRequest, sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.keyring.unseal(SEAL_PURPOSE, nameOf(request), sealed);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.logger.error({ err: error, path: request.path }, 'a stored response cannot be read');
      throw new GatewayError(
        'idempotency_key_reused',
        'This request was done before, and its response cannot be read any more.',
        { hint: 'Read what it made, then use a new key for what is still to be done.' },
      );
    }
  }
}

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(Math.max(0, ms), false, { signal: timer.signal });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** JSON, so that different requests never have the same name. */
function nameOf({ userId, application, method, path, key }: RequestIdentity): string {
  return JSON.stringify([userId, application, method, path, key]);
}
