import pg from 'pg';
import type { PoolClient, PoolConfig } from 'pg';
import { currentTenant } from '../kernel/request-context.js';
import { ConnectionShares } from './connection-shares.pure.js';
import type { PoolMode } from './session-timeouts.js';
import { currentUnitOfWork } from './unit-of-work.js';

type Release = (error?: Error | boolean) => void;
type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;

interface Caller {
  callback: ConnectCallback;
  /** Set while it waits. */
  timeout?: NodeJS.Timeout;
}

/** pg's own message, by which `isTransient` (sql.ts) recognizes an overload. */
const TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';
const ENDED_MESSAGE = 'Cannot use a pool after calling end on the pool';

/**
 * pg's pool with fair shares: its queue is first come, first served, so one tenant with many concurrent requests would
 * make all others wait behind them ({@link ConnectionShares}). Nothing waits in the queue of the base class.
 */
export class FairPool extends pg.Pool {
  /** Whether a client keeps its session, so that it finds the statements that it prepared. */
  readonly keepsSessions: boolean;
  private readonly shares: ConnectionShares<Caller>;
  private readonly waitMs: number;

  constructor(config: PoolConfig & { poolMode?: PoolMode } = {}) {
    super(config);
    this.keepsSessions = config.poolMode !== 'transaction';
    this.shares = new ConnectionShares(this.options.max);
    this.waitMs = config.connectionTimeoutMillis ?? 0;
  }

  /** Callers that wait for a connection. */
  get waitingCallers(): number {
    return this.shares.waitingCount;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback) return this.enqueue(callback);
    return new Promise((resolve, reject) => {
      this.enqueue((error, client) =>
        client ? resolve(client) : reject(error ?? new Error('the pool returned no connection')),
      );
    });
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    for (const { callback: refuse, timeout } of this.shares.removeAll()) {
      clearTimeout(timeout);
      refuse(new Error(ENDED_MESSAGE), undefined, () => {});
    }
    return callback ? super.end(callback) : super.end();
  }

  private enqueue(callback: ConnectCallback): void {
    if (this.ending) return callback(new Error(ENDED_MESSAGE), undefined, () => {});
    const caller: Caller = { callback };
    // A caller inside a transaction holds a connection: waiting for its own share could never end.
    this.shares.add(currentUnitOfWork() ? null : currentTenant(), caller);
    this.dispatch();
    if (this.waitMs === 0 || !this.shares.has(caller)) return;
    caller.timeout = setTimeout(() => {
      this.shares.remove(caller);
      callback(new Error(TIMEOUT_MESSAGE), undefined, () => {});
    }, this.waitMs);
    caller.timeout.unref();
  }

  private dispatch(): void {
    for (let next = this.shares.next(); next; next = this.shares.next()) this.acquire(next.tenant, next.item);
  }

  private acquire(tenant: string | null, { callback, timeout }: Caller): void {
    clearTimeout(timeout);
    super.connect((error, client, release) => {
      if (!client) {
        this.giveBack(tenant);
        return callback(error, undefined, release);
      }
      // pg sets `release` anew each time that it hands a connection out.
      const giveBack: Release = (reason) => {
        release(reason);
        this.giveBack(tenant);
      };
      client.release = giveBack;
      callback(undefined, client, giveBack);
    });
  }

  private giveBack(tenant: string | null): void {
    this.shares.release(tenant);
    this.dispatch();
  }
}
