import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../runtime/clock.pure.js';
import { ConflictError, GatewayError } from '../errors/errors.pure.js';
import { failpoint } from '../runtime/failpoints.js';
import { Keyring } from '../security/keyring.js';
import { PollingLoops } from '../runtime/polling-loop.js';
import { LoopName } from '../runtime/loop-name.pure.js';
import { type Queryable, Sql, sqlState } from '../database/sql.js';

/** What identifies a repeated request (specification/idempotency.md#idempotency-key). */
export interface KeyedRequest {
  userId: string;
  /** The application of a client token; '' for the user's OAuth tokens. */
  application: string;
  method: string;
  path: string;
  key: string;
  /** SHA-256 of the body as it came. */
  bodyHash: Buffer;
}

/** The stored response; `body` is null if there is none. */
export interface Answer {
  status: number;
  body: string | null;
}

/** The request itself. */
export interface Action {
  /** All of its reads and writes go through {@link Sql}. */
  run: () => Promise<Answer>;
  /** The response to repeat if this request fails; null: a repeated request is processed again. */
  describeFailure: (error: unknown) => Answer | null;
}

const LIFETIME_MS = 24 * 3_600 * 1_000;
/** How long a racing request waits for the first one; lock_timeout does the same between instances. */
const WAIT_MS = 5_000;
const SEAL_PURPOSE = 'idempotent-answer';
const PURGE_INTERVAL_MS = 600_000;
const PURGE_BATCH = 1_000;
const LOCK_TIMEOUT = '55P03';

// Waits while another transaction holds the same key. Answers a row to the one who may act: the first, or
// the first after the lifetime of an earlier one.
const RESERVE = `
  insert into idempotency_keys as k (user_id, application, method, path, key, body_hash, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (user_id, application, method, path, key) do update
    set body_hash = excluded.body_hash, status = null, sealed_body = null,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    where k.expires_at <= excluded.created_at
  returning k.key`;
const COMPLETE = `
  update idempotency_keys set status = $6, sealed_body = $7
  where user_id = $1 and application = $2 and method = $3 and path = $4 and key = $5`;
const FIND = `
  select body_hash as "bodyHash", status, sealed_body as "sealedBody" from idempotency_keys
  where user_id = $1 and application = $2 and method = $3 and path = $4 and key = $5`;
const PURGE = `
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at <= $1 limit $2 for update skip locked
  )) returning key`;

interface KeyRow {
  bodyHash: Buffer;
  status: number | null;
  sealedBody: string | null;
}

/**
 * Makes a repeated request act once. Key, effect and answer are written by one transaction
 * ({@link Sql.unitOfWork}): there is no moment in which a process could die and leave a payment without its
 * key, or a key without its payment. Racing requests wait for the first one's end and answer the same.
 */
@Injectable()
export class IdempotencyService implements OnApplicationBootstrap {
  /** The requests under way in this process: the others wait here, where they hold no connection. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly sql: Sql,
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
   * Acts, or answers what the first request with this key was answered.
   * An error undoes everything, the key included; then the answer alone may be kept for repeated requests.
   * @throws ConflictError when an earlier request runs longer than anybody waits
   */
  async once(request: KeyedRequest, action: Action): Promise<Answer & { isReplayed: boolean }> {
    const name = nameOf(request);
    const start = performance.now();
    for (let earlier = this.running.get(name); earlier; earlier = this.running.get(name)) {
      const rest = WAIT_MS - (performance.now() - start);
      if (!(await endsWithin(rest, earlier))) throw inProgress();
    }
    // Nothing was awaited since the last check, so no other request can have come between.
    const run = this.run(request, action);
    const ended = run.then(
      () => undefined,
      () => undefined,
    );
    this.running.set(name, ended);
    try {
      return await run;
    } finally {
      this.running.delete(name);
    }
  }

  /** Deletes expired keys; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    const deleted = await this.sql.query(PURGE, [this.clock.now(), PURGE_BATCH]);
    return deleted.length === PURGE_BATCH;
  }

  private async run(request: KeyedRequest, action: Action): Promise<Answer & { isReplayed: boolean }> {
    let hasActed = false;
    try {
      for (;;) {
        const answer = await this.sql.unitOfWork(async (tx) => {
          if (!(await this.reserve(tx, request))) return this.find(tx, request);
          hasActed = true;
          failpoint('idempotency.reserved');
          const made = await action.run();
          failpoint('idempotency.acted');
          await this.complete(tx, request, made);
          return { ...made, isReplayed: false };
        });
        // Null: the earlier request's row was purged between two statements. The next turn acts itself.
        failpoint('idempotency.committed');
        if (answer) return answer;
      }
    } catch (error) {
      const failure = hasActed ? action.describeFailure(error) : null;
      if (failure) await this.keep(request, failure);
      throw error;
    }
  }

  /** Stores the response of a request that had no effect, unless another request has stored one first. */
  private async keep(request: KeyedRequest, answer: Answer): Promise<void> {
    await this.sql.unitOfWork(async (tx) => {
      if (await this.reserve(tx, request)) await this.complete(tx, request, answer);
    });
  }

  private async reserve(tx: Queryable, request: KeyedRequest): Promise<boolean> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    try {
      const reserved = await tx.query(RESERVE, [...identity(request), request.bodyHash, now, expiresAt]);
      return reserved.length === 1;
    } catch (error) {
      throw sqlState(error) === LOCK_TIMEOUT ? inProgress() : error;
    }
  }

  private async complete(tx: Queryable, request: KeyedRequest, { status, body }: Answer): Promise<void> {
    // Encrypted, because a response can contain a value that is shown once, such as a client token.
    const sealed = body === null ? null : this.keyring.seal(SEAL_PURPOSE, nameOf(request), body);
    await tx.query(COMPLETE, [...identity(request), status, sealed]);
  }

  private async find(
    tx: Queryable,
    request: KeyedRequest,
  ): Promise<(Answer & { isReplayed: boolean }) | null> {
    const [row] = await tx.query<KeyRow>(FIND, identity(request));
    if (!row) return null;
    if (!row.bodyHash.equals(request.bodyHash))
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key was used before with another request body.',
        {
          hint: 'Use a key of its own for every order and attempt, such as the order number; keys are forgotten after 24 hours.',
        },
      );
    if (row.status === null) throw new Error('an idempotency key was committed without its answer');
    const body =
      row.sealedBody === null ? null : this.keyring.unseal(SEAL_PURPOSE, nameOf(request), row.sealedBody);
    return { status: row.status, body, isReplayed: true };
  }
}

function identity({ userId, application, method, path, key }: KeyedRequest): string[] {
  return [userId, application, method, path, key];
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

/** Injective: no part can pretend to be two. */
function nameOf(request: KeyedRequest): string {
  return JSON.stringify(identity(request));
}

function inProgress(): ConflictError {
  return new ConflictError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being processed.',
    { headers: { 'Retry-After': '1' } },
  );
}
