import type { Query, QueryClient } from '@tanstack/react-query';
import type { Change } from '../../../sdk/src/api-types.js';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { Api, OperationId } from '../api/api.js';
import { ROUTES } from '../api/operations.js';
import { holdSlot, leaveSlot } from '../../shared/stream-slot.js';
import { isAffected } from './affected.pure.js';

/** Milliseconds: changes that come together are read together. */
const GATHER_MS = 250;
/** Milliseconds between two readings: a busy shop must not use up its rate limit by looking. */
const REST_MS = 2_000;
/** Milliseconds of which a new stream tells, with a margin. */
const TOLD_MS = 45_000;
/** Milliseconds until the stream is tried again, after it failed for good, or other windows had all that a browser opens. */
const RETRY_MS = 30_000;

/**
 * The stream of changes of one tab. Reads again what is shown and may have changed. While there is no stream, screens
 * poll as they say.
 */
export class LiveUpdates {
  private readonly listeners = new Set<() => void>();
  private gathered: Change[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readAt = Number.NEGATIVE_INFINITY;
  /** The stream is there: nothing is missed. */
  isLive = false;

  constructor(
    private readonly api: Api,
    private readonly client: QueryClient,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Follows while the page is visible: a browser has six connections to a gateway without HTTP/2, for all its tabs. */
  start(): () => void {
    let stop: AbortController | null = null;
    const follow = () => {
      if (document.hidden) {
        stop?.abort();
        stop = null;
        leaveSlot();
      } else if (!stop) {
        stop = new AbortController();
        void this.follow(stop.signal);
      }
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop?.abort();
      leaveSlot();
    };
  }

  private async follow(signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      // The stream begins with the last minute; what happened before, while there was none, is not in it.
      if (!isFirst) await this.client.invalidateQueries();
      const begunAt = performance.now();
      const onConnection = (isOpen: boolean) => {
        const isLate = isOpen && !this.isLive && performance.now() - begunAt > TOLD_MS;
        this.set(isOpen);
        if (isLate) void this.client.invalidateQueries();
      };
      const own = new AbortController();
      const end = () => own.abort();
      signal.addEventListener('abort', end);
      let isFull = false;
      holdSlot(() => {
        isFull = true;
        end();
      });
      try {
        for await (const change of this.api.changes({ signal: own.signal, onConnection }))
          this.gather(change);
      } catch (error) {
        if (signal.aborted) return;
        // Signed out, or refused: the screens poll, and say what is wrong. So they do in a window too many.
        if (!isFull && !(error instanceof GatewayError)) reportError(error);
      } finally {
        signal.removeEventListener('abort', end);
        if (!signal.aborted) leaveSlot();
      }
      this.set(false);
      await pause(RETRY_MS, signal);
    }
  }

  private gather(change: Change): void {
    this.gathered.push(change);
    const waitMs = Math.max(GATHER_MS, this.readAt + REST_MS - performance.now());
    this.timer ??= setTimeout(() => this.read(), waitMs);
  }

  private read(): void {
    const changes = this.gathered;
    this.gathered = [];
    this.timer = null;
    this.readAt = performance.now();
    const predicate = (query: Query) => changes.some((change) => dependsOn(query, change));
    void this.client.invalidateQueries({ predicate });
  }

  private set(isLive: boolean): void {
    if (this.isLive === isLive) return;
    this.isLive = isLive;
    for (const listener of this.listeners) listener();
  }
}

/** The key of a query ends with the operation and its input. */
function dependsOn({ queryKey }: Query, change: Change): boolean {
  const at = queryKey.findIndex(isOperation);
  const [id, input] = at < 0 ? [] : queryKey.slice(at);
  const route = isOperation(id) ? ROUTES[id] : '';
  return isAffected({ route, ...(typeof input === 'object' ? input : null) }, change);
}

function isOperation(id: unknown): id is OperationId {
  return typeof id === 'string' && Object.hasOwn(ROUTES, id);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
