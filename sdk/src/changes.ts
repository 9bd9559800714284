import type { Change } from './api-types.js';
import { GatewayError } from './errors.js';
import { parseExact } from './exact-json.js';
import { backoffMs, type CallOptions, delay, type Http, isTransient } from './http.js';

export interface ChangesOptions extends CallOptions {
  /** Called with true by each event, the first of which follows at once, and with false at the end: poll meanwhile. */
  onConnection?: (isOpen: boolean) => void;
}

/** Milliseconds until the next connection, after the gateway has ended one. */
const RECONNECT_MS = 1_000;

const EVERYTHING: Change = {
  type: 'everything',
  id: null,
  applicationId: null,
  paymentId: null,
  version: null,
};

/**
 * What changes, until the signal aborts: reconnects by itself, and continues where it was.
 * @throws GatewayError that another attempt cannot change, such as a token that is not valid; or the signal's reason
 */
export async function* followChanges(
  http: Http,
  { signal, onConnection = () => undefined }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let lastEventId: string | null = null;
  let failures = 0;
  for (;;) {
    let waitMs: number | null = RECONNECT_MS;
    try {
      for await (const { id, data } of http.events({ path: '/api/changes', signal, lastEventId })) {
        failures = 0;
        onConnection(true);
        if (data !== '') yield parseExact(data) as Change;
        // Afterwards: whoever stops in between gets this one again.
        if (id !== null) lastEventId = id;
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.code === 'validation_failed' && lastEventId !== null) {
        // A gateway of another release does not know the cursor.
        lastEventId = null;
        yield EVERYTHING;
      } else if (!isTransient(error)) throw error;
      else waitMs = backoffMs(failures++, error.retryAfter);
    } finally {
      onConnection(false);
    }
    await delay(waitMs ?? RECONNECT_MS, signal);
  }
}
