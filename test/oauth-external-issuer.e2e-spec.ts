import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { createUser } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount } from './support/wallets-api.js';

const AUDIENCE = 'https://pay.example';

/** An identity provider: its metadata, its keys, and how often each was asked for. */
interface Issuer {
  url: string;
  privateKey: CryptoKey;
  publicPem: string;
  requests: string[];
  /** Status that it answers with from now on. */
  status: number;
  server: Server;
}

async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' };
  const issuer = {
    privateKey,
    publicPem: await exportSPKI(publicKey),
    requests: [] as string[],
    status: 200,
  };
  const server = createServer((request, response) => {
    started.requests.push(request.url ?? '');
    const body = request.url === '/keys' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` };
    response.writeHead(started.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: Issuer = { ...issuer, url, server };
  return started;
}

let issuer: Issuer;
let gateway: TestGateway;

beforeAll(async () => {
  issuer = await startIssuer();
  gateway = await startTestGateway({ OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: AUDIENCE });
});
afterAll(async () => {
  await gateway.close();
  await new Promise((resolve) => issuer.server.close(resolve));
});

interface Claims extends JWTPayload {
  [claim: string]: unknown;
}

/** What changes of wallets take (RFC 9068, section 2.2). */
const recentSignIn = () => ({ scope: 'openid wallets:write', auth_time: gateway.clock.unixSeconds() });

function sign(
  claims: Claims = {},
  header: { kid?: string; alg?: string; typ?: string } = {},
  key = issuer.privateKey,
): Promise<string> {
  const now = gateway.clock.unixSeconds();
  return new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'auth0|42', iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
    .sign(key);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function ask(token: string, at = gateway): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${at.baseUrl}/api/payment-applications`, { headers });
  return { status: response.status, body: await response.json() };
}

describe('the access tokens of an external issuer', () => {
  it('are accepted, and the subject owns what it creates, and only that', async () => {
    const headers = { authorization: `Bearer ${await sign()}`, 'content-type': 'application/json' };
    const created = await fetch(`${gateway.baseUrl}/api/payment-applications`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'My Store', secret: 'a webhook secret' }),
    });
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ data: { userId: 'auth0|42' } });
    expect((await ask(await sign())).body).toMatchObject({ data: [{ name: 'My Store' }] });
    expect(await ask(await sign({ sub: 'auth0|43' }))).toEqual({ status: 200, body: { data: [] } });
  });

  it.each([
    ['as it is', (id: string) => id],
    ['in capitals', (id: string) => id.toUpperCase()],
  ])('are refused when they name a user of this gateway %s', async (_what, spell) => {
    const { id } = await createUser(gateway);
    expect((await ask(await sign({ sub: spell(id) }))).status).toBe(401);
    expect((await ask(await sign({ sub: randomUUID() }))).status).toBe(200);
  });

  it('are refused when they are ID tokens', async () => {
    expect((await ask(await sign({ nonce: 'n' }))).status).toBe(401);
    expect((await ask(await sign({}, { typ: 'logout+jwt' }))).status).toBe(401);
    expect((await ask(await sign({}, { typ: 'at+jwt' }))).status).toBe(200);
  });

  it('have wallets at the gateway, and their profile at the issuer', async () => {
    const headers = {
      authorization: `Bearer ${await sign(recentSignIn())}`,
      'content-type': 'application/json',
    };
    const call = (method: string, path: string, body?: object) =>
      fetch(`${gateway.baseUrl}/api/account${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
    const put = await call('PUT', '/wallets/evm', { extendedPublicKey: newAccount().publicExtendedKey });
    expect(put.status).toBe(200);
    expect(await (await call('GET', '/wallets')).json()).toMatchObject({ data: [{ family: 'evm' }] });
    const password = { currentPassword: 'a password', newPassword: 'another password' };
    for (const answer of [
      await call('GET', ''),
      await call('PUT', '', { name: 'Zoë' }),
      await call('POST', '/password', password),
      await call('GET', '/two-factor'),
      await call('POST', '/two-factor', password),
      await call('POST', '/two-factor/confirm', { code: '123456' }),
      await call('POST', '/two-factor/disable', { ...password, code: '123456' }),
    ]) {
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'user_not_found' });
    }
  });

  it.each<[string, () => Claims, number, string]>([
    ['without the scope', () => ({ ...recentSignIn(), scope: 'openid' }), 403, 'insufficient_permissions'],
    ['of an unknown sign-in', () => ({ scope: 'wallets:write' }), 401, 'recent_sign_in_required'],
    [
      'of an old sign-in',
      () => ({ ...recentSignIn(), auth_time: gateway.clock.unixSeconds() - 301 }),
      401,
      'recent_sign_in_required',
    ],
  ])('%s change no wallet', async (_what, claims, status, code) => {
    const put = await fetch(`${gateway.baseUrl}/api/account/wallets/evm`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await sign(claims())}`, 'content-type': 'application/json' },
      body: JSON.stringify({ extendedPublicKey: newAccount().publicExtendedKey }),
    });
    expect([put.status, await put.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('appear as their subject in the audit log, whichever client requested them', async () => {
    const token = await sign({
      ...recentSignIn(),
      sub: 'auth0|audited',
      azp: 'dashboard',
      client_id: 'dashboard',
    });
    const put = await fetch(`${gateway.baseUrl}/api/account/wallets/evm`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ extendedPublicKey: newAccount().publicExtendedKey }),
    });
    expect(put.status).toBe(200);
    const acts = await gateway.sql.query('select actor_kind, actor_id from audit_log where user_id = $1', [
      'auth0|audited',
    ]);
    expect(acts).toEqual([{ actor_kind: 'user', actor_id: 'auth0|audited' }]);
  });

  it('are verified with keys that were fetched once', async () => {
    for (let i = 0; i < 5; i++) expect((await ask(await sign())).status).toBe(200);
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it.each<[string, () => Promise<string>]>([
    ['for another audience', () => sign({ aud: 'https://other.example' })],
    ['for no audience', () => sign({ aud: undefined })],
    ['of another issuer', () => sign({ iss: 'https://other.example' })],
    ['of no issuer', () => sign({ iss: undefined })],
    ['of no subject', () => sign({ sub: undefined })],
    ['of an empty subject', () => sign({ sub: '' })],
    ['of a subject with NUL', () => sign({ sub: 'a\0b' })],
    ['of a subject of 256 characters', () => sign({ sub: 'x'.repeat(256) })],
    ['that expired 6 s ago', () => sign({ exp: gateway.clock.unixSeconds() - 6 })],
    ['that never expires', () => sign({ exp: undefined })],
    ['that is not valid yet', () => sign({ nbf: gateway.clock.unixSeconds() + 60 })],
    ['signed with another key', async () => sign({}, {}, (await generateKeyPair('ES256')).privateKey)],
    ['with an unknown key id', () => sign({}, { kid: 'k2' })],
    [
      'with a changed subject',
      async () => {
        const [head, claims = '', signature] = (await sign()).split('.');
        const changed = {
          ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object),
          sub: 'auth0|1',
        };
        return `${head}.${part(changed)}.${signature}`;
      },
    ],
    [
      'with alg none',
      async () => {
        const [, claims] = (await sign()).split('.');
        return `${part({ alg: 'none', kid: 'k1' })}.${claims}.`;
      },
    ],
    [
      'with HS256 keyed by the public key',
      async () => {
        const now = gateway.clock.unixSeconds();
        return new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'auth0|42', exp: now + 300 })
          .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
          .sign(Buffer.from(issuer.publicPem));
      },
    ],
    ['that is longer than 8 KiB', () => sign({ padding: 'x'.repeat(9_000) })],
    ['that is malformed', async () => 'eyJ.eyJ.x'],
  ])('are refused: a token %s', async (_what, make) => {
    const { status, body } = await ask(await make());
    expect(status).toBe(401);
    expect(body).toMatchObject({ message: 'Unauthenticated', code: 'unauthenticated' });
  });

  it('are accepted up to 5 s after their expiry', async () => {
    expect((await ask(await sign({ exp: gateway.clock.unixSeconds() - 4 }))).status).toBe(200);
  });

  it('are refused without that configuration', async () => {
    const alone = await startTestGateway();
    const { status } = await ask(await sign(), alone);
    await alone.close();
    expect(status).toBe(401);
  });

  it('get 503 while the issuer is down, and work again when it is back', async () => {
    const down = await startIssuer();
    down.status = 500;
    const waiting = await startTestGateway({ OAUTH_ISSUER: `${down.url}/`, OAUTH_AUDIENCE: AUDIENCE });
    const token = await sign({ iss: down.url }, {}, down.privateKey);
    expect((await ask(token, waiting)).status).toBe(503);
    // Tokens of this gateway need no issuer.
    expect((await ask('x'.repeat(43), waiting)).status).toBe(401);
    down.status = 200;
    expect((await ask(token, waiting)).status).toBe(200);
    await waiting.close();
    await new Promise((resolve) => down.server.close(resolve));
  });

  it('are verified with the configured keys, if any, without requesting metadata', async () => {
    const own = await startIssuer();
    const env = {
      OAUTH_ISSUER: 'https://id.example',
      OAUTH_AUDIENCE: AUDIENCE,
      OAUTH_JWKS_URL: `${own.url}/keys`,
    };
    const configured = await startTestGateway(env);
    for (const iss of ['https://id.example', 'https://id.example/'])
      expect((await ask(await sign({ iss }, {}, own.privateKey), configured)).status).toBe(200);
    expect((await ask(await sign({ iss: own.url }, {}, own.privateKey), configured)).status).toBe(401);
    expect(own.requests).toEqual(['/keys']);
    await configured.close();
    await new Promise((resolve) => own.server.close(resolve));
  });
});
