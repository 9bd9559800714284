import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { AccountApi } from './account-api.js';
import { ApplicationsApi } from './applications-api.js';
import { asOwner } from './as-owner.js';
import { Browser } from './browser.js';
import { createClientToken } from './client-tokens.js';
import { authorizeUrl, createUser, PASSWORD, statusWith } from './oauth-api.js';
import { createOwnerWithClient, type OwnerWithClient } from './principals.js';
import type { TestGateway } from './test-gateway.js';

/** What the writer aims at, with an account and tokens of its own. */
export class Stage {
  private constructor(
    /** Another one after a restart. */
    public gateway: TestGateway,
    readonly owner: OwnerWithClient,
    readonly applicationId: string,
    /** A person who signs in by the pages. */
    readonly account: AccountApi,
  ) {}

  static async open(gateway: TestGateway): Promise<Stage> {
    const owner = await createOwnerWithClient(gateway);
    const { id } = await new ApplicationsApi(gateway, owner).create();
    return new Stage(gateway, owner, id, await AccountApi.open(gateway));
  }

  clientToken(fields: object = {}) {
    return createClientToken(this.gateway, this.owner, this.applicationId, fields);
  }

  /** Statements as the owner of the schema. */
  write(text: string, values: readonly unknown[] = []): Promise<void> {
    return asOwner(this.gateway, async (sql) => {
      await sql.query(text, values);
    });
  }

  /** The status of an endpoint that takes client tokens. */
  async clientStatus(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${this.gateway.baseUrl}/api/currencies`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  async operatorStatus(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${this.gateway.baseUrl}/api/admin/chains`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  oauthStatus(token: unknown): Promise<number> {
    return statusWith(this.gateway, token);
  }

  /** The status after the password was typed: 303 is on the way in, 200 asks for a code. */
  async signInStatus(email: string, password = PASSWORD): Promise<number> {
    const browser = new Browser(this.gateway);
    const login = await browser.follow(await browser.get(authorizeUrl(this.account.clientId)));
    return (await browser.submit(login.url, { email, password, decision: 'allow' })).status;
  }

  async newOperator(): Promise<string> {
    const { id } = await createUser(this.gateway);
    await this.gateway.get(UsersService).setOperator(id, true);
    return id;
  }
}
