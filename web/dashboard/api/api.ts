import type { Change } from '../../../sdk/src/api-types.js';
import { type ChangesOptions, followChanges } from '../../../sdk/src/changes.js';
import { GatewayError } from '../../../sdk/src/errors.js';
import { Http } from '../../../sdk/src/http.js';
import { actingAccount } from '../session/acting-account.js';
import type { Session } from '../session/session.js';
import { type ErrorBody, type Operations, ROUTES } from './operations.js';

export type OperationId = keyof typeof ROUTES;
type PathOf<K extends OperationId> = Operations[K] extends { path: infer P } ? { path: P } : unknown;
type QueryOf<K extends OperationId> = Operations[K] extends { query: infer Q } ? { query?: Q } : unknown;
type BodyOf<K extends OperationId> = Operations[K] extends { body: infer B }
  ? { body: B }
  : Operations[K] extends { body?: infer B }
    ? { body?: B }
    : unknown;
/** What an operation takes. */
export type Input<K extends OperationId> = PathOf<K> & QueryOf<K> & BodyOf<K>;
export type Output<K extends OperationId> = Operations[K]['response'];

/** Operations that return a file. */
export type ExportId =
  'exportPayments' | 'exportTransfers' | 'exportRefunds' | 'exportWebhookDeliveries' | 'reportMonth';

type QueryValue = string | number | boolean | readonly string[];

interface AnyInput {
  path?: Record<string, string>;
  query?: Record<string, QueryValue | undefined>;
  body?: unknown;
}

/** The API of the gateway, by the client package; the dashboard has no other way to anything. */
export class Api {
  private readonly http: Http;

  constructor(private readonly session: Session) {
    this.http = new Http({
      baseUrl: location.origin,
      token: () => session.token(),
      account: actingAccount,
      retries: 1,
    });
  }

  /** @throws GatewayError */
  async call<K extends OperationId>(id: K, input: Input<K>, signal?: AbortSignal): Promise<Output<K>> {
    const { method, path, query, body } = requestOf(id, input);
    const request = {
      method,
      path,
      query,
      ...(method !== 'GET' && body !== undefined && { body }),
      // One for all attempts, so that the gateway acts once.
      ...(method === 'POST' && { idempotencyKey: crypto.randomUUID() }),
      signal,
    };
    return this.signedIn(() => this.http.call<Output<K>>(request));
  }

  /** The whole file of an export, which is a failure if it was cut. @throws GatewayError */
  async download<K extends ExportId>(id: K, input: Input<K>): Promise<Blob> {
    const { path, query } = requestOf(id, input);
    return this.signedIn(async () => {
      const account = actingAccount();
      const headers = {
        authorization: `Bearer ${await this.session.token()}`,
        ...(account !== null && { 'x-account': account }),
      };
      try {
        const response = await fetch(`${path}?${new URLSearchParams(query)}`, { headers });
        if (response.ok) return await response.blob();
        throw await refusalOf(response);
      } catch (cause) {
        if (cause instanceof GatewayError) throw cause;
        throw new GatewayError('network_error', 'the file did not arrive whole', { cause });
      }
    });
  }

  /** A call, and once more with another token if that one has ended in the meantime or was revoked. */
  private async signedIn<T>(call: () => Promise<T>): Promise<T> {
    const token = await this.session.token();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'unauthenticated') throw error;
      if (!(await this.session.replace(token))) throw error;
      return call();
    }
  }

  /** What changes, until the signal aborts. @throws GatewayError, e.g. once the session has ended; or the signal's reason */
  async *changes(options: ChangesOptions): AsyncGenerator<Change, void, undefined> {
    for (;;) {
      const token = await this.session.token();
      try {
        yield* followChanges(this.http, options);
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'unauthenticated') throw error;
        if (!(await this.session.replace(token))) throw error;
      }
    }
  }
}

/** What an export says instead of a file. */
async function refusalOf(response: Response): Promise<GatewayError> {
  const { code, message, errors, hint } = (await response.json()) as ErrorBody;
  return new GatewayError(code, message, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    hint: hint ?? null,
    ...(errors && { errors }),
  });
}

function requestOf<K extends OperationId>(id: K, input: Input<K>) {
  const [method, template] = ROUTES[id].split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  const { path = {}, query = {}, body } = input as AnyInput;
  const texts = Object.entries(query).map(([name, value]) => [name, queryText(value)] as const);
  return {
    method,
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
    query: Object.fromEntries(texts.filter((one): one is [string, string] => one[1] !== undefined)),
    body,
  };
}

function queryText(value: QueryValue | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}
