import { runCli } from '../src/cli.js';
import type { OAuthScope } from '../src/platform/kernel/oauth-scopes.pure.js';
import { sendRequest } from './support/api-request.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  basic,
  createClient,
  createUser,
  fetchTokens,
  PASSWORD,
  postForm,
} from './support/oauth-api.js';
import { APPLICATIONS } from './support/applications-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount } from './support/wallets-api.js';

const SECRET = 'a secret of more than 24 characters';

let gateway: TestGateway;
let user: { id: string; email: string };
let applicationPath: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  user = await createUser(gateway);
  const created = await call('POST', APPLICATIONS, await serverToken(), {
    name: 'Shop',
    secret: 'a secret of webhooks',
  });
  applicationPath = `${APPLICATIONS}/${(JSON.parse(created.text) as { data: { id: string } }).data.id}`;
});
afterAll(() => gateway.close());

const call = (method: string, path: string, token: string, body?: unknown) =>
  sendRequest(`${gateway.baseUrl}${path}`, { method, token, body });
const newKey = () => ({ extendedPublicKey: newAccount().publicExtendedKey });

function newServer(scopes?: OAuthScope[]): Promise<string> {
  return createClient(gateway, {
    secret: SECRET,
    userId: user.id,
    grantTypes: ['client_credentials'],
    redirectUris: [],
    ...(scopes && { scopes }),
  });
}

const requestToken = (clientId: string, scope?: string) =>
  postForm(
    gateway,
    '/token',
    { grant_type: 'client_credentials', ...(scope && { scope }) },
    basic(clientId, SECRET),
  );

async function serverToken(scopes?: OAuthScope[], scope?: string): Promise<string> {
  const { status, body } = await requestToken(await newServer(scopes), scope);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['access_token']);
}

const CHALLENGE = /^Bearer error="insufficient_scope", scope="wallets:write", error_description="[^"]+"$/;

describe('changing a wallet', () => {
  const paths = () => [`${applicationPath}/wallets/evm`, '/api/account/wallets/evm'];

  it("with a server's token is refused with 403 unless an operator granted wallets:write", async () => {
    for (const token of [await serverToken(), await serverToken(undefined, '*'), await serverToken(['*'])])
      for (const path of paths())
        for (const [method, body] of [['PUT', newKey()] as const, ['DELETE', undefined] as const]) {
          const { status, headers, text } = await call(method, path, token, body);
          expect([status, JSON.parse(text)]).toEqual([
            403,
            expect.objectContaining({
              code: 'insufficient_permissions',
              message: 'Insufficient permissions',
              hint: expect.stringContaining('create-oauth-client --scope wallets:write') as string,
            }),
          ]);
          expect(headers.get('www-authenticate')).toMatch(CHALLENGE);
        }
    const { text } = await call('GET', `${applicationPath}/wallets`, await serverToken());
    expect(JSON.parse(text)).toEqual({ data: [] });
  });

  it('cannot be requested by a server that was not granted it', async () => {
    const { status, body } = await requestToken(await newServer(), '* wallets:write');
    expect([status, body['error']]).toEqual([400, 'invalid_scope']);
    expect(body['error_description']).toContain('create-oauth-client --scope');
  });

  it('is possible for a server that an operator granted wallets:write, which opens nothing else', async () => {
    const token = await serverToken(['wallets:write']);
    for (const path of paths()) expect((await call('PUT', path, token, newKey())).status).toBe(200);
    for (const path of paths()) expect((await call('DELETE', path, token)).status).toBe(204);
    for (const path of [`${applicationPath}/wallets`, applicationPath, '/api/account', '/api/payment'])
      expect((await call('GET', path, token)).status).toBe(403);
    const { text } = await call('GET', applicationPath, token);
    expect(JSON.parse(text)).toMatchObject({
      hint: expect.stringContaining('with the scope applications:read; this one has wallets:write') as string,
    });
  });

  it('by a sign-in takes wallets:write as well, which the consent page states', async () => {
    const clientId = await createClient(gateway);
    const all = await fetchTokens(gateway, clientId, user.email);
    expect((await call('PUT', paths()[0]!, String(all['access_token']), newKey())).status).toBe(403);

    const browser = new Browser(gateway);
    const asked = authorizeUrl(clientId, { scope: '* wallets:write' });
    const login = await browser.follow(await browser.get(asked));
    const consent = await browser.follow(
      await browser.submit(login.url, { email: user.email, password: PASSWORD, decision: 'allow' }),
    );
    expect(consent.body).toContain('<li>change the wallets that your customers pay to</li>');
    const named = await fetchTokens(gateway, clientId, user.email, '* wallets:write');
    expect(named['scope']).toBe('* wallets:write');
    expect((await call('PUT', paths()[0]!, String(named['access_token']), newKey())).status).toBe(200);
  });
});

describe('a token', () => {
  it.each<[OAuthScope, string, string, number]>([
    ['payments:read', 'GET', '/api/payment', 200],
    ['payments:read', 'POST', '/api/payment/checkout', 403],
    ['payments:write', 'POST', '/api/payment/checkout', 422],
    ['payments:write', 'GET', '/api/payment', 403],
    ['account:read', 'GET', '/api/account', 200],
    ['account:read', 'PUT', '/api/account', 403],
    ['applications:read', 'GET', APPLICATIONS, 200],
    ['applications:read', 'POST', APPLICATIONS, 403],
    ['applications:read', 'GET', '/api/admin/chains', 403],
    ['wallets:read', 'GET', '/api/account/wallets', 200],
    ['tokens:read', 'GET', '/api/currencies', 200],
    ['refunds:read', 'GET', '/api/payment', 403],
  ])('with %s gets for %s %s the status %d', async (scope, method, path, status) => {
    const answer = await call(method, path, await serverToken([scope]), method === 'GET' ? undefined : {});
    expect(answer.status).toBe(status);
  });

  it('has those that were requested, of those that were granted', async () => {
    const client = await newServer(['payments:read', 'refunds:read']);
    expect((await requestToken(client, 'refunds:read')).body['scope']).toBe('refunds:read');
    expect((await requestToken(client)).body['scope']).toBe('payments:read refunds:read');
    for (const scope of ['*', 'payments:write', 'refunds:read account:read'])
      expect((await requestToken(client, scope)).body).toMatchObject({ error: 'invalid_scope' });
  });
});

describe('create-oauth-client --scope', () => {
  async function cli(...args: string[]) {
    let output = '';
    const write = (text: string) => void (output += text);
    const input = (async function* () {})();
    return { code: await runCli(args, gateway.environment, { input, write, writeError: write }), output };
  }
  const create = (...more: string[]) =>
    cli('create-oauth-client', '--name', 'Wallet setup', '--user', user.email, ...more);

  it('grants the named scopes, which list-oauth-clients shows', async () => {
    const { code, output } = await create('--scope', 'wallets:write', '--scope', 'wallets:read');
    expect(code).toBe(0);
    const [, id = ''] = /client id: +(\S+)/.exec(output) ?? [];
    const [, secret = ''] = /client secret: +(\S+)/.exec(output) ?? [];
    const token = await postForm(gateway, '/token', { grant_type: 'client_credentials' }, basic(id, secret));
    expect(token.body['scope']).toBe('wallets:write wallets:read');
    expect((await cli('list-oauth-clients')).output).toMatch(
      new RegExp(`^${id} .*Wallet setup {2}\\[wallets:write wallets:read\\]$`, 'm'),
    );
  });

  it('refuses a scope that does not exist and names those that do', async () => {
    const { code, output } = await create('--scope', 'wallets.write');
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('--scope wallets.write is not one of *, applications:read'),
    ]);
  });
});
