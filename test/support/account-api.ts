import { sendRequest } from './api-request.js';
import type { ErrorBody } from './applications-api.js';
import { createClient, createUser, fetchTokens } from './oauth-api.js';
import type { TestGateway } from './test-gateway.js';

/** The account as the API shows it. */
export interface AccountDto {
  id: string;
  email: string;
  name: string | null;
  isOperator: boolean;
  twoFactorEnabled: boolean;
  refusedSignIns: number;
  lastRefusedSignInAt: string | null;
  createdAt: string;
}

/** What came back; `data` on success, `error` otherwise. */
export interface AccountAnswer<T> {
  status: number;
  headers: Headers;
  text: string;
  data: T;
  error: ErrorBody;
}

/** A user who has signed in by the pages, with an access token of that sign-in. */
export class AccountApi {
  private constructor(
    /** Another one after a restart. */
    public gateway: TestGateway,
    readonly clientId: string,
    readonly user: { id: string; email: string },
    /** Another one after {@link signInAgain}. */
    public accessToken: string,
    readonly refreshToken: string,
  ) {}

  static async open(gateway: TestGateway): Promise<AccountApi> {
    const clientId = await createClient(gateway);
    const user = await createUser(gateway);
    const tokens = await fetchTokens(gateway, clientId, user.email, '* wallets:write');
    return new AccountApi(
      gateway,
      clientId,
      user,
      String(tokens['access_token']),
      String(tokens['refresh_token']),
    );
  }

  /** For acts that want a recent sign-in, after the clock has moved on. */
  async signInAgain(): Promise<void> {
    const tokens = await fetchTokens(this.gateway, this.clientId, this.user.email, '* wallets:write');
    this.accessToken = String(tokens['access_token']);
  }

  get(): Promise<AccountAnswer<AccountDto>> {
    return this.call('GET', '');
  }

  put(body: unknown): Promise<AccountAnswer<AccountDto>> {
    return this.call('PUT', '', body);
  }

  changePassword(body: unknown): Promise<AccountAnswer<unknown>> {
    return this.call('POST', '/password', body);
  }

  /** @param path below /api/account */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    token = this.accessToken,
  ): Promise<AccountAnswer<T>> {
    const url = `${this.gateway.baseUrl}/api/account${path}`;
    const { status, headers, text } = await sendRequest(url, { method, token, body });
    const parsed = (text === '' ? {} : JSON.parse(text)) as { data: T } & ErrorBody;
    return { status, headers, text, data: parsed.data, error: parsed };
  }
}

/** What a wrong field answers. */
export function refused(field: string, message: RegExp) {
  return {
    status: 422,
    error: { code: 'validation_failed', errors: { [field]: [expect.stringMatching(message)] } },
  };
}
