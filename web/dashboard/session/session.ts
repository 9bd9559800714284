import { GatewayError } from '../../../sdk/src/errors.js';
import { Http } from '../../../sdk/src/http.js';

interface Granted {
  data: { accessToken: string; expiresIn: number };
}

/** `unknown`: not asked yet. `ended`: the user has to sign in again. */
export type SessionState = 'unknown' | 'signed-in' | 'ended';

const PATH = '/dashboard/session';
/** Tabs tell each other that somebody has signed in. */
const CHANNEL = 'dashboard-session';
/** Milliseconds before its end at which a token counts as ended. */
const MARGIN_MS = 30_000;

/** The header that forms of other sites cannot send. */
const fetchAsDashboard: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('x-requested-with', 'dashboard');
  return fetch(input, { ...init, headers });
};

/** The sign-in of this browser. The access token is in memory only; the rest is a cookie that scripts cannot read. */
export class Session {
  private readonly http = new Http({ baseUrl: location.origin, fetch: fetchAsDashboard, retries: 1 });
  private readonly channel = new BroadcastChannel(CHANNEL);
  private readonly listeners = new Set<() => void>();
  private accessToken: string | null = null;
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;
  state: SessionState = 'unknown';

  constructor() {
    this.channel.onmessage = () => void this.renew();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The access token, renewed if need be. @throws GatewayError 401 if the session has ended */
  async token(): Promise<string> {
    if (this.accessToken === null || performance.now() > this.endsAt - MARGIN_MS) await this.renew();
    if (this.accessToken === null) throw new GatewayError('unauthenticated', 'signed out', { status: 401 });
    return this.accessToken;
  }

  /** Drops a token that the gateway refused, and fetches another. False: the session has ended. */
  async replace(refused: string): Promise<boolean> {
    if (this.accessToken === refused) this.accessToken = null;
    return this.accessToken !== null || this.renew();
  }

  /** With the code of the authorization server. */
  async begin(code: string, codeVerifier: string): Promise<void> {
    const body = { code, codeVerifier };
    this.keep(await this.http.call<Granted>({ method: 'POST', path: PATH, body, isPublic: true }));
    this.channel.postMessage('signed-in');
  }

  /** Signs out of this browser's dashboard. */
  async end(): Promise<void> {
    await this.http.call({ method: 'DELETE', path: PATH, isPublic: true });
    this.accessToken = null;
  }

  /** False: there is no session any more. Requests of all callers and tabs wait for the same renewal. */
  renew(): Promise<boolean> {
    this.renewing ??= this.renewOnce().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    try {
      // A refresh token works once: two tabs that send the same one would end the session.
      const ask = () => this.http.call<Granted>({ method: 'POST', path: `${PATH}/refresh`, isPublic: true });
      this.keep('locks' in navigator ? await navigator.locks.request(CHANNEL, ask) : await ask());
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 401) throw error;
      this.accessToken = null;
      this.change('ended');
      return false;
    }
  }

  private keep({ data }: Granted): void {
    this.accessToken = data.accessToken;
    this.endsAt = performance.now() + data.expiresIn * 1_000;
    this.change('signed-in');
  }

  private change(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
