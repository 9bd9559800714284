import { checkoutKeyOf, signCheckout } from '../../src/payments/checkout-url.pure.js';
import { startRatesStub, type RatesStub } from '../../src/demo/rates-stub.js';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { SCOPES, type Scope } from '../../src/platform/web/security/auth.js';
import { ClientTokenPrincipalsService } from '../../src/tokens/client-token-principals.service.js';
import { newClientToken } from '../../src/tokens/client-token.pure.js';
import { APPLICATIONS, ApplicationsApi } from './applications-api.js';
import {
  PARAMETERS,
  type Principal,
  type PrincipalName,
  PRINCIPALS,
  type Row,
} from './authorization-matrix.js';
import { type TenantFixtures, createTenantFixtures } from './tenant-fixtures.js';
import { createClientToken, tokensPath } from './client-tokens.js';
import { basic, postForm } from './oauth-api.js';
import { insertPayment } from './payment-rows.js';
import { createOwnerWithClient, fetchAccessToken, type OwnerWithClient } from './principals.js';
import { readAnswer } from './read-answer.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

/** Access tokens live an hour (specification/authentication.md#oauth2). */
const OVER_AN_HOUR_SECONDS = 3_601;

/** What came back, as far as it is compared. */
export interface CellAnswer {
  outcome: string;
  challenge: string | null;
  message: string | null;
  /** The body without what is new in every answer: request id, and the page's nonces. */
  text: string;
}

/** One gateway with every principal of the matrix. */
export class AuthorizationHarness {
  private readonly headers = new Map<string, string>();

  private constructor(
    readonly gateway: TestGateway,
    private readonly rates: RatesStub,
    readonly owner: OwnerWithClient,
    readonly home: TenantFixtures,
    readonly deleted: TenantFixtures,
  ) {}

  static async open(): Promise<AuthorizationHarness> {
    const rates = await startRatesStub();
    const gateway = await startTestGateway({
      // Who is let in gets an application of their own in every row.
      MAX_APPLICATIONS_PER_USER: '10000',
      CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
      RATES_KRAKEN_URL: `${rates.url}/kraken`,
      RATES_COINBASE_URL: `${rates.url}/coinbase`,
    });
    const owner = await createOwnerWithClient(gateway);
    const home = await createTenantFixtures(gateway, owner);
    const deleted = await createTenantFixtures(gateway, owner);
    const harness = new AuthorizationHarness(gateway, rates, owner, home, deleted);
    await harness.createPrincipals();
    await harness.warmUp();
    return harness;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.rates.stop();
  }

  /** The Authorization header of a principal; undefined for none. */
  header(name: string): string | undefined {
    return this.headers.get(name);
  }

  /** What the principal may act on for once: a cell that is let in can delete it. */
  async targetFor(principal: Principal): Promise<TenantFixtures> {
    const { gateway, owner, home } = this;
    if (principal.kind === 'client') {
      const ids = { userId: owner.userId, applicationId: home.applicationId };
      return { ...home, paymentId: await insertPayment(gateway, ids) };
    }
    const target = await createTenantFixtures(gateway, owner);
    if (principal.kind === 'oauth' && principal.standing === 'owner of the deleted')
      await this.ownersApi().delete(target.applicationId);
    return target;
  }

  /** Asks a route about `ids`. @param linked with the signature of the payment's own link */
  async ask(row: Row, name: string, ids: TenantFixtures, linked = false): Promise<CellAnswer> {
    const [method = '', template = ''] = row.route.split(' ');
    const query = new URLSearchParams({ ...row.query?.(ids), ...(linked && this.link(ids.paymentId)) });
    const path = template.replace(/:(\w+)/g, (_, parameter: string) => {
      const value = PARAMETERS[parameter];
      if (!value) throw new Error(`PARAMETERS of test/support/authorization-matrix.ts lacks "${parameter}"`);
      return value(ids);
    });
    const body = row.body?.(ids) ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
    return this.fetch(method, `${path}${query.size > 0 ? `?${query.toString()}` : ''}`, name, body);
  }

  async fetch(method: string, path: string, name: string, body?: object): Promise<CellAnswer> {
    const authorization = this.header(name);
    const response = await fetch(this.gateway.baseUrl + path, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return read(response);
  }

  private link(paymentId: string): Record<string, string> {
    const [key = ''] = this.gateway.config.checkoutSigningKeys;
    const expires = this.gateway.clock.unixSeconds() + 60;
    return { expires: String(expires), signature: signCheckout(checkoutKeyOf(key), paymentId, expires) };
  }

  private ownersApi(): ApplicationsApi {
    return new ApplicationsApi(this.gateway, this.owner);
  }

  private async createPrincipals(): Promise<void> {
    const { gateway, owner, home, deleted } = this;
    const { clock } = gateway;
    const client = async (applicationId: string, scopes: Scope[] = ['*'], fields: object = {}, of = owner) =>
      createClientToken(gateway, of, applicationId, { scopes, ...fields });
    const set = (name: PrincipalName, token: string) => this.headers.set(name, `Bearer ${token}`);

    const soon = new Date(clock.now().getTime() + 1_000);
    set('expired OAuth token', owner.accessToken);
    set('expired client token', (await client(home.applicationId, ['*'], { expiresAt: soon })).token);
    clock.advanceSeconds(OVER_AN_HOUR_SECONDS);
    // Its link is as old as it is.
    home.paymentId = await insertPayment(gateway, { ...owner, applicationId: home.applicationId });

    owner.accessToken = await fetchAccessToken(gateway, owner.clientId, owner.clientSecret);
    set('OAuth token of the owner', owner.accessToken);
    set(
      'OAuth token of the owner with *',
      await fetchAccessToken(gateway, owner.clientId, owner.clientSecret, '*'),
    );
    set('OAuth token of the owner, application deleted', owner.accessToken);
    for (const scope of SCOPES)
      set(`client token: ${scope}`, (await client(home.applicationId, [scope])).token);

    const revoked = await client(home.applicationId);
    set('revoked client token', revoked.token);
    await this.ownersApi().call('GET', APPLICATIONS);
    await fetch(`${gateway.baseUrl}${tokensPath(home.applicationId)}/${revoked.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.accessToken}` },
    });
    const ended = await fetchAccessToken(gateway, owner.clientId, owner.clientSecret);
    set('revoked OAuth token', ended);
    await postForm(gateway, '/revoke', { token: ended }, basic(owner.clientId, owner.clientSecret));

    set('client token of a deleted application', (await client(deleted.applicationId)).token);
    await this.ownersApi().delete(deleted.applicationId);
    const second = await this.ownersApi().create({ name: 'Second shop' });
    set('client token of another application', (await client(second.id)).token);
    const stranger = await createOwnerWithClient(gateway);
    set('OAuth token of another user', stranger.accessToken);
    const operator = await createOwnerWithClient(gateway);
    await gateway.get(UsersService).setOperator(operator.userId, true);
    set('OAuth token of an operator', operator.accessToken);
    const theirs = await new ApplicationsApi(gateway, stranger).create({ name: 'Their shop' });
    set('client token of another user', (await client(theirs.id, ['*'], {}, stranger)).token);

    set('garbage', 'garbage');
    set('garbage that looks like a client token', newClientToken());
    set('garbage that looks like an OAuth token', 'x'.repeat(43));
    this.headers.set('another scheme', `Basic ${owner.accessToken}`);
    this.headers.set('a scheme without a token', 'Bearer');
    this.headers.set('two tokens in one header', `Bearer ${owner.accessToken} ${owner.accessToken}`);
  }

  /**
   * The first use of a client token is written down (specification/authentication.md#client-tokens); the next within a
   * minute is not.
   */
  private async warmUp(): Promise<void> {
    for (const { name } of PRINCIPALS) {
      if (name !== 'no token' && !this.header(name)) throw new Error(`there is no principal "${name}"`);
      await this.fetch('GET', '/api/payment', name);
    }
    await this.gateway.get(ClientTokenPrincipalsService).flush();
  }
}

/** Without the words for people: one principal's token expired at another time than the next one's. */
function bareChallenge(header: string | null): string | null {
  return header?.replace(/, error_description="[^"]*"$/, '') ?? null;
}

async function read(response: Response): Promise<CellAnswer> {
  const requestId = response.headers.get('x-request-id') ?? '';
  const text = (await readAnswer(response))
    .replaceAll(requestId, '(request id)')
    .replaceAll(/nonce="[\w-]+"/g, 'nonce');
  const challenge = bareChallenge(response.headers.get('www-authenticate'));
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    return { outcome: String(response.status), challenge, message: null, text };
  const { code, error, errors, message } = JSON.parse(text) as Record<string, string | undefined> & {
    errors?: object;
  };
  const what = errors ? Object.keys(errors).join(',') : (code ?? error);
  return {
    outcome: what === undefined ? String(response.status) : `${response.status} ${what}`,
    challenge,
    message: message ?? null,
    text,
  };
}
