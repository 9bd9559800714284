import pg from 'pg';
import { authorizeUrl, basic, createClient, createUser, post } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const SECRET = 'a secret of more than 24 characters: %+&=';

let gateway: TestGateway;
let clientId: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { id: userId } = await createUser(gateway);
  clientId = await createClient(gateway, {
    secret: SECRET,
    userId,
    grantTypes: ['client_credentials'],
    redirectUris: [],
  });
});
afterAll(() => gateway.close());

const grant = (changes: Record<string, string> = {}) => ({ grant_type: 'client_credentials', ...changes });
const withSecret = () => ({ client_id: clientId, client_secret: SECRET });
const encoded = () => basic(clientId, encodeURIComponent(SECRET));
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

const ask = (endpoint: string, init: RequestInit) => fetch(`${gateway.baseUrl}/api/oauth/${endpoint}`, init);

describe('a refused token request', () => {
  it.each<[string, () => RequestInit, RegExp]>([
    ['a wrong secret', () => json(grant({ ...withSecret(), client_secret: 'wrong' })), /secret is wrong/],
    [
      'an unknown client',
      () => json(grant({ client_id: 'nobody', client_secret: SECRET })),
      /secret is wrong/,
    ],
    [
      'a secret in Basic that is not encoded',
      () => json(grant(), basic(clientId, SECRET)),
      /form-encoded|properly encoded/,
    ],
    [
      'no secret',
      () => json(grant({ client_id: clientId })),
      /secret is missing: send id and secret by HTTP Basic/,
    ],
    ['no client', () => json(grant()), /curl -u id:secret/],
    ['a bearer token', () => json(grant(), { authorization: 'Bearer x' }), /must be Basic base64/],
    ['two ways at once', () => json(grant(withSecret()), encoded()), /in the body, not both/],
    [
      'the password grant',
      () => json({ ...withSecret(), grant_type: 'password' }),
      /must be authorization_code, refresh_token or client_credentials/,
    ],
    ['no grant type', () => json(withSecret()), /grant_type is missing/],
    [
      'the grant of another client',
      () => json({ ...withSecret(), grant_type: 'refresh_token' }),
      /may use client_credentials only/,
    ],
    [
      'a scope of client tokens',
      () => json(grant({ ...withSecret(), scope: 'payments.get' })),
      /the scopes of a server are \*, applications:read/,
    ],
  ])('says how to continue: %s', async (_what, init, description) => {
    const { body } = await post(gateway, '/token', init());
    expect(body['error_description']).toMatch(description);
  });
});

describe('while the database is away', () => {
  const name = () => new URL(gateway.databaseUrl).pathname.slice(1);
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: process.env['TEST_ADMIN_URL'] });
    await admin.connect();
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()]);
    await admin.query(`alter database ${name()} rename to ${name()}_away`);
  });
  afterAll(async () => {
    await admin.query(`alter database ${name()}_away rename to ${name()}`);
    await admin.end();
  });

  it.each<[string, () => Promise<Response>]>([
    ['token', () => ask('token', { method: 'POST', ...json(grant(withSecret())) })],
    ['revoke', () => ask('revoke', { method: 'POST', ...json({ token: 'x', ...withSecret() }) })],
    ['introspect', () => ask('introspect', { method: 'POST', ...json({ token: 'x', ...withSecret() }) })],
    ['userinfo', () => ask('userinfo', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } })],
  ])('%s returns a 503 in both error formats', async (_endpoint, request) => {
    const response = await request();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'the gateway is temporarily unavailable: try again in 5 s',
      message: 'Service unavailable',
      code: 'service_unavailable',
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('browsers get a page', async () => {
    const response = await fetch(`${gateway.baseUrl}${authorizeUrl(clientId)}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
  });
});
