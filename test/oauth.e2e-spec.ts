import { connect } from 'node:net';
import { sha256 } from '../src/platform/kernel/hmac.pure.js';
import { OidcStore } from '../src/identity/oauth/oidc-store.js';
import { OAUTH_SCOPES } from '../src/platform/kernel/oauth-scopes.pure.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { blockWrites } from './support/blocked-table.js';
import { basic, createClient, createUser, post, postForm, statusWith } from './support/oauth-api.js';
import { createTestDatabase, startTestGateway, type TestGateway } from './support/test-gateway.js';

const SECRET = 'a secret of more than 24 characters: %+&=';
const BASE_URL = 'https://pay.example';

let gateway: TestGateway;
let clientId: string;
let userId: string;

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL });
  userId = (await createUser(gateway)).id;
  clientId = await newServerClient(userId);
});
afterAll(() => gateway.close());

function newServerClient(user: string): Promise<string> {
  return createClient(gateway, {
    secret: SECRET,
    userId: user,
    grantTypes: ['client_credentials'],
    redirectUris: [],
  });
}

const grant = (changes: Record<string, string> = {}) => ({ grant_type: 'client_credentials', ...changes });
const withSecret = () => ({ client_id: clientId, client_secret: SECRET });
const encoded = () => basic(clientId, encodeURIComponent(SECRET));

async function newToken(client = clientId): Promise<string> {
  const { body } = await postForm(gateway, '/token', grant({ client_id: client, client_secret: SECRET }));
  return String(body['access_token']);
}

describe('discovery', () => {
  const METADATA = {
    issuer: `${BASE_URL}/api/oauth`,
    authorization_endpoint: `${BASE_URL}/api/oauth/authorize`,
    token_endpoint: `${BASE_URL}/api/oauth/token`,
    revocation_endpoint: `${BASE_URL}/api/oauth/revoke`,
    introspection_endpoint: `${BASE_URL}/api/oauth/introspect`,
    userinfo_endpoint: `${BASE_URL}/api/oauth/userinfo`,
    jwks_uri: `${BASE_URL}/api/oauth/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    scopes_supported: [...OAUTH_SCOPES, 'openid', 'email', 'profile', 'offline_access'],
    claims_supported: expect.arrayContaining(['sub', 'email', 'email_verified', 'name']) as string[],
    id_token_signing_alg_values_supported: ['ES256'],
  };

  it.each([
    '/api/oauth/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/api/oauth',
    '/api/oauth/.well-known/oauth-authorization-server',
  ])('%s', async (path) => {
    const response = await fetch(gateway.baseUrl + path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(METADATA);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('names its own address whatever Host, X-Forwarded-* or the request line contain', async () => {
    const { port } = new URL(gateway.baseUrl);
    const path = '/api/oauth/.well-known/openid-configuration';
    const raw = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        const headers = ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: http'];
        socket.write(
          `GET http://evil.example${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
        );
      });
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    expect(raw).toContain(`"token_endpoint":"${BASE_URL}/api/oauth/token"`);
    expect(raw).not.toContain('evil');
  });

  it('publishes no private part of its signing key', async () => {
    const response = await fetch(`${gateway.baseUrl}/api/oauth/jwks`);
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })]);
    expect(keys[0]).not.toHaveProperty('d');
    const [row] = await gateway.sql.query<{ sealed_jwk: string }>(
      'select sealed_jwk from oauth_signing_keys',
    );
    expect(row?.sealed_jwk).toMatch(/^v1\./);
  });

  it('creates one signing key when two instances start at once on an empty database', async () => {
    const database = await createTestDatabase();
    const table = await blockWrites(database, 'oauth_signing_keys');
    const starting = [1, 2].map(() => startTestGateway({}, undefined, database));
    await table.untilWaiting(2);
    await table.release();
    const pair = await Promise.all(starting);
    const keys = await Promise.all(
      pair.map(async ({ baseUrl }) => (await fetch(`${baseUrl}/api/oauth/jwks`)).text()),
    );
    await Promise.all(pair.map((instance) => instance.close()));
    expect(keys[0]).toBe(keys[1]);
    expect((JSON.parse(keys[0] ?? '') as { keys: unknown[] }).keys).toHaveLength(1);
  });
});

describe('client_credentials', () => {
  const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

  it.each<[string, () => RequestInit]>([
    ['form, secret in the body', () => ({ body: new URLSearchParams(grant(withSecret())) })],
    ['form, Basic', () => ({ body: new URLSearchParams(grant()), headers: encoded() })],
    ['JSON, secret in the body', () => json(grant(withSecret()))],
    ['JSON, Basic', () => json(grant(), encoded())],
    [
      'JSON with a charset',
      () => json(grant(withSecret()), { 'content-type': 'Application/JSON; charset=utf-8' }),
    ],
    ['the requested scope', () => json(grant({ ...withSecret(), scope: '*' }))],
    ['an empty scope', () => ({ body: new URLSearchParams(grant({ ...withSecret(), scope: '' })) })],
  ])('%s', async (_how, init) => {
    const { status, headers, body } = await post(gateway, '/token', init());
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: '*',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await statusWith(gateway, body['access_token'])).toBe(200);
  });

  it.each<[string, () => RequestInit, number, string]>([
    [
      'a wrong secret',
      () => json(grant({ ...withSecret(), client_secret: `${SECRET}x` })),
      401,
      'invalid_client',
    ],
    ['a wrong secret in Basic', () => json(grant(), basic(clientId, 'wrong')), 401, 'invalid_client'],
    [
      'the stored hash as the secret',
      () => json(grant({ ...withSecret(), client_secret: sha256(SECRET).toString('hex') })),
      401,
      'invalid_client',
    ],
    ['no secret', () => json(grant({ client_id: clientId })), 401, 'invalid_client'],
    [
      'an unknown client',
      () => json(grant({ client_id: 'nobody', client_secret: SECRET })),
      401,
      'invalid_client',
    ],
    [
      'a client id with NUL',
      () => json(grant({ client_id: 'a\0b', client_secret: SECRET })),
      401,
      'invalid_client',
    ],
    ['no client', () => json(grant()), 400, 'invalid_request'],
    ['two ways at once', () => json(grant(withSecret()), encoded()), 400, 'invalid_request'],
    [
      'the password grant',
      () => json({ ...withSecret(), grant_type: 'password' }),
      400,
      'unsupported_grant_type',
    ],
    ['no grant type', () => json(withSecret()), 400, 'invalid_request'],
    [
      'a grant that is not its own',
      () => json({ ...withSecret(), grant_type: 'refresh_token' }),
      400,
      'invalid_request',
    ],
    [
      'a scope of client tokens',
      () => json(grant({ ...withSecret(), scope: 'payments.get' })),
      400,
      'invalid_scope',
    ],
    ['malformed JSON', () => json('{"grant_type":'), 400, 'invalid_request'],
    ['a JSON array', () => json([grant()]), 400, 'invalid_request'],
    ['a JSON null', () => json('null'), 400, 'invalid_request'],
    ['a number for a text', () => json({ ...withSecret(), grant_type: 1 }), 400, 'invalid_request'],
    ['a text body', () => ({ body: 'grant_type=client_credentials' }), 400, 'invalid_request'],
    ['no body', () => ({}), 400, 'invalid_request'],
    ['a huge body', () => json({ ...withSecret(), junk: 'x'.repeat(40_000) }), 400, 'invalid_request'],
    [
      'a parameter twice',
      () => ({
        body: new URLSearchParams([...Object.entries(grant(withSecret())), ['grant_type', 'password']]),
      }),
      400,
      'invalid_request',
    ],
  ])('refuses %s', async (_what, init, expectedStatus, error) => {
    const { status, headers, body } = await post(gateway, '/token', init());
    expect({ status, error: body['error'] }).toEqual({ status: expectedStatus, error });
    expect(Object.keys(body).toSorted()).toEqual(['error', 'error_description']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('challenges a client that tried Basic (RFC 6749 section 5.2)', async () => {
    const { headers } = await postForm(gateway, '/token', grant(), basic(clientId, 'wrong'));
    expect(headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  it.each(['/token', '/revoke', '/introspect'])(
    'returns %s as JSON also to clients that accept HTML (RFC 6749 section 5.2)',
    async (endpoint) => {
      const fields = { ...grant({ client_id: clientId, client_secret: 'wrong' }), token: 'unknown' };
      const { status, headers, body } = await postForm(gateway, endpoint, fields, { accept: 'text/html' });
      expect([status, headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
      expect(body['error']).toBe('invalid_client');
    },
  );

  it('is refused for public clients', async () => {
    const publicClient = await createClient(gateway);
    const { status, body } = await postForm(gateway, '/token', grant({ client_id: publicClient }));
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });

  it('refuses other methods and other paths', async () => {
    const get = await fetch(`${gateway.baseUrl}/api/oauth/token`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await get.json()).toMatchObject({ error: 'invalid_request' });
    for (const path of [
      '/api/oauth',
      '/api/oauth/nothing',
      '/api/oauth/me',
      '/api/oauth/session/end',
      '/api/oauth//',
    ]) {
      const response = await fetch(gateway.baseUrl + path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('issues tokens that end after an hour, and with their client or user', async () => {
    const { id } = await createUser(gateway);
    const client = await newServerClient(id);
    const [first, second] = [await newToken(client), await newToken(client)];
    expect(await statusWith(gateway, first)).toBe(200);

    gateway.clock.advanceSeconds(3_599);
    expect(await statusWith(gateway, first)).toBe(200);
    gateway.clock.advanceSeconds(2);
    expect(await statusWith(gateway, first)).toBe(401);
    gateway.clock.advanceSeconds(-3_601);

    await gateway.get(UsersService).disable(id);
    expect(await statusWith(gateway, second)).toBe(401);
    const refused = await postForm(gateway, '/token', grant({ client_id: client, client_secret: SECRET }));
    expect([refused.status, refused.body['error']]).toEqual([401, 'invalid_client']);

    const own = await newServerClient(userId);
    const third = await newToken(own);
    await gateway.sql.query('update oauth_clients set revoked_at = now() where client_id = $1', [own]);
    expect(await statusWith(gateway, third)).toBe(401);
  });
});

describe('revocation and introspection', () => {
  const introspect = (token: string, headers = encoded()) =>
    postForm(gateway, '/introspect', { token }, headers);

  it("describes a client's own active token, and no other", async () => {
    const token = await newToken();
    const { body } = await introspect(token);
    expect(body).toMatchObject({
      active: true,
      client_id: clientId,
      sub: userId,
      scope: '*',
      token_type: 'Bearer',
    });
    expect(Number(body['exp']) - Number(body['iat'])).toBe(3_600);

    const foreign = await newToken(await newServerClient(userId));
    for (const unknown of [foreign, 'unknown', 'x'.repeat(43), 'a\0b'])
      expect((await introspect(unknown)).body).toEqual({ active: false });
    gateway.clock.advanceSeconds(3_601);
    expect((await introspect(token)).body).toEqual({ active: false });
    gateway.clock.advanceSeconds(-3_601);
  });

  it('introspects for confidential clients only', async () => {
    const token = await newToken();
    const publicClient = await createClient(gateway);
    for (const candidate of [token, 'unknown']) {
      const { status, body } = await postForm(gateway, '/introspect', {
        token: candidate,
        client_id: publicClient,
      });
      expect([status, body['error']]).toEqual([401, 'invalid_client']);
    }
    const anonymous = await postForm(gateway, '/introspect', { token });
    expect(anonymous.status).toBe(400);
    expect((await introspect(token, basic(clientId, 'wrong'))).status).toBe(401);
  });

  it('revokes at once, by form and by JSON, and returns 200 for unknown tokens too', async () => {
    const [first, second] = [await newToken(), await newToken()];
    const byForm = await postForm(gateway, '/revoke', { token: first }, encoded());
    expect([byForm.status, byForm.headers.get('content-type'), byForm.body]).toEqual([
      200,
      'application/json; charset=utf-8',
      {},
    ]);
    expect(await statusWith(gateway, first)).toBe(401);
    expect((await introspect(first)).body).toEqual({ active: false });

    expect(await statusWith(gateway, second)).toBe(200);
    const byJson = await post(gateway, '/revoke', {
      body: JSON.stringify({ token: second, ...withSecret() }),
      headers: { 'content-type': 'application/json' },
    });
    expect(byJson.status).toBe(200);
    expect(await statusWith(gateway, second)).toBe(401);

    expect((await postForm(gateway, '/revoke', { token: 'unknown' }, encoded())).status).toBe(200);
  });

  it("does not revoke another client's token", async () => {
    const foreign = await newToken(await newServerClient(userId));
    expect((await postForm(gateway, '/revoke', { token: foreign }, encoded())).status).toBe(200);
    expect(await statusWith(gateway, foreign)).toBe(200);
  });
});

describe('OAuth data in the database', () => {
  it('contains neither tokens nor secrets', async () => {
    const token = await newToken();
    const [dump] = await gateway.sql.query<{ text: string }>(
      `select (select string_agg(p::text, ' ') from oidc_payloads p) || (select string_agg(c::text, ' ') from oauth_clients c) as text`,
    );
    expect(dump?.text).toContain(sha256(token).toString('base64url'));
    expect(dump?.text).not.toContain(token);
    expect(dump?.text).not.toContain(SECRET);
    const [user] = await gateway.sql.query<{ password_hash: string }>(
      'select password_hash from users limit 1',
    );
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is deleted when it has expired, and only then', async () => {
    const count = async () => {
      const [row] = await gateway.sql.query<{ n: number }>(
        'select count(*)::integer as n from oidc_payloads',
      );
      return row?.n ?? 0;
    };
    const token = await newToken();
    const before = await count();
    const store = gateway.get(OidcStore);
    expect(await store.purgeExpired()).toBe(false);
    expect([before > 0, await count(), await statusWith(gateway, token)]).toEqual([true, before, 200]);
    gateway.clock.advanceSeconds(3_601);
    await store.purgeExpired();
    expect(await count()).toBe(0);
    gateway.clock.advanceSeconds(-3_601);
  });
});
