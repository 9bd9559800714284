import { GatewayError } from '../../../sdk/src/errors.js';
import { Http } from '../../../sdk/src/http.js';
import type { Session } from '../session/session.js';
import { type Operations, ROUTES } from './operations.js';

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
    this.http = new Http({ baseUrl: location.origin, token: () => session.token(), retries: 1 });
  }

  /** @throws GatewayError */
  async call<K extends OperationId>(id: K, input: Input<K>, signal?: AbortSignal): Promise<Output<K>> {
    const [method, template] = ROUTES[id].split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    const { path = {}, query = {}, body } = input as AnyInput;
    const request = {
      method,
      path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, queryText(value)])),
      ...(method !== 'GET' && body !== undefined && { body }),
      // One for all attempts, so that the gateway acts once.
      ...(method === 'POST' && { idempotencyKey: crypto.randomUUID() }),
      signal,
    };
    const token = await this.session.token();
    try {
      return await this.http.call<Output<K>>(request);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'unauthenticated') throw error;
      // It ended in the meantime, or was revoked: once more with another one.
      if (!(await this.session.replace(token))) throw error;
      return this.http.call<Output<K>>(request);
    }
  }
}

function queryText(value: QueryValue | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}
