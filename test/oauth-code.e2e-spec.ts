import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient,
  createUser,
  fetchTokens,
  newPkce,
  postForm,
  redeem,
  REDIRECT_URI,
  refresh,
  signIn,
  statusWith,
} from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const DAY = 86_400;

let gateway: TestGateway;
let clientId: string;
let email: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  email = (await createUser(gateway)).email;
  clientId = await createClient(gateway);
});
afterAll(() => gateway.close());

async function newCode(): Promise<{ code: string; verifier: string }> {
  const { verifier, challenge } = newPkce();
  const back = await signIn(
    new Browser(gateway),
    email,
    authorizeUrl(clientId, { code_challenge: challenge }),
  );
  return { code: back.searchParams.get('code') ?? '', verifier };
}

describe('an authorization request', () => {
  it.each<[string, Record<string, string | null>, string]>([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method, which means plain', { code_challenge_method: null }, 'invalid_request'],
    ['for a token (implicit)', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an ID token (implicit)', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['of a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['without a sign-in, silently', { prompt: 'none' }, 'login_required'],
  ])('%s is refused by a redirect to the client', async (what, changes, error) => {
    const { location } = await new Browser(gateway).get(authorizeUrl(clientId, changes));
    expect(location?.href.startsWith('https://shop.example/callback')).toBe(true);
    const answer = new URLSearchParams(`${location?.search}&${location?.hash.slice(1)}`);
    expect(answer.get('error')).toBe(error);
    if (what === 'without PKCE') expect(answer.get('error_description')).toContain('send code_challenge');
    expect(answer.get('state')).toBe('the state');
  });

  it.each<[string, Record<string, string | null>]>([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: null }],
    ['another redirect address', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: 'https://shop.example/callback/more?from=gateway' }],
    ['a longer query', { redirect_uri: `${REDIRECT_URI}&more=1` }],
    ['another case', { redirect_uri: REDIRECT_URI.replace('callback', 'Callback') }],
    ['user info', { redirect_uri: 'https://shop.example@evil.example/callback?from=gateway' }],
    ['a longer host', { redirect_uri: 'https://shop.example.evil.example/callback?from=gateway' }],
    ['no TLS', { redirect_uri: REDIRECT_URI.replace('https', 'http') }],
    ['no redirect address', { redirect_uri: null }],
  ])('with %s is refused without a redirect', async (_what, changes) => {
    const answer = await new Browser(gateway).get(authorizeUrl(clientId, changes));
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.body).toContain('<p role="alert"><bdi lang="en" dir="ltr">invalid_');
  });

  it.each<[Record<string, string>, string]>([
    [{ redirect_uri: 'https://shop.example/callback' }, 'it differs in its query from the nearest one'],
    [{ redirect_uri: 'https://shop.example/callback/?from=gateway' }, 'path (a slash too many at its end)'],
    [{ redirect_uri: 'http://localhost:3000/callback?from=gateway' }, 'scheme, host, port'],
    [{ client_id: 'nobody' }, 'client_id is unknown here, or the client was revoked'],
  ])('with a different redirect_uri gets an error that names the difference: %j', async (changes, text) => {
    const { body } = await new Browser(gateway).get(authorizeUrl(clientId, changes));
    expect(body).toContain(text);
    if (!changes['client_id']) expect(body).not.toContain('https://shop.example');
  });

  it('cannot inject markup into the error page, nor NUL into the database', async () => {
    const markup = await new Browser(gateway).get(authorizeUrl('<script>alert(1)</script>'));
    expect(markup.body).not.toContain('<script');
    const nul = await new Browser(gateway).get(authorizeUrl(clientId, { state: 'a\0b' }));
    expect([nul.status, JSON.parse(nul.body)]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  });

  it('without a scope requests all, and without * among its scopes gives no access to the API', async () => {
    const all = await fetchTokens(gateway, clientId, email);
    expect(all['scope']).toBe('*');
    const identity = await fetchTokens(gateway, clientId, email, 'openid');
    expect(identity['scope']).toBe('openid');
    expect(await statusWith(gateway, identity['access_token'])).toBe(401);
  });

  it('is refused as POST', async () => {
    const answer = await new Browser(gateway).submit(authorizeUrl(clientId), {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('an authorization code', () => {
  it.each<
    [string, (good: { code: string; verifier: string }) => Promise<Record<string, string>>, string, string]
  >([
    [
      'another verifier',
      async () => ({ code_verifier: newPkce().verifier }),
      'invalid_grant',
      'code_verifier does not fit',
    ],
    ['no verifier', async () => ({ code_verifier: '' }), 'invalid_grant', 'code_verifier is missing'],
    [
      'another redirect address',
      async () => ({ redirect_uri: 'https://shop.example/callback' }),
      'invalid_grant',
      'redirect_uri is not the one',
    ],
    [
      'another client',
      async () => ({ client_id: await createClient(gateway) }),
      'invalid_grant',
      'given to another client',
    ],
    [
      'another code',
      async ({ code }) => ({ code: `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}` }),
      'invalid_grant',
      'the code is unknown',
    ],
    ['NUL in the code', async ({ code }) => ({ code: `${code}\0` }), 'invalid_grant', 'the code is unknown'],
  ])('is refused with %s', async (_what, changes, error, text) => {
    const good = await newCode();
    const { status, body } = await postForm(gateway, '/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code: good.code,
      code_verifier: good.verifier,
      ...(await changes(good)),
    });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error });
    expect(body['error_description']).toContain(text);
  });

  it('is used up by a wrong verifier, and not by the wrong client', async () => {
    const good = await newCode();
    const other = await createClient(gateway);
    expect((await redeem(gateway, other, good.code, newPkce().verifier)).status).toBe(400);
    expect((await redeem(gateway, clientId, good.code, good.verifier)).status).toBe(200);

    const { code, verifier } = await newCode();
    expect((await redeem(gateway, clientId, code, newPkce().verifier)).status).toBe(400);
    const { status, body } = await redeem(gateway, clientId, code, verifier);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('is valid for a minute', async () => {
    const { code, verifier } = await newCode();
    gateway.clock.advanceSeconds(61);
    const { body } = await redeem(gateway, clientId, code, verifier);
    gateway.clock.advanceSeconds(-61);
    expect(body['error']).toBe('invalid_grant');
  });

  it('used twice revokes the tokens that it gave', async () => {
    const { code, verifier } = await newCode();
    const first = await redeem(gateway, clientId, code, verifier);
    expect(await statusWith(gateway, first.body['access_token'])).toBe(200);
    const second = await redeem(gateway, clientId, code, verifier);
    expect([second.status, second.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await statusWith(gateway, first.body['access_token'])).toBe(401);
    expect((await refresh(gateway, clientId, first.body['refresh_token'])).status).toBe(400);
  });

  it('used concurrently gives tokens at most once, and these are revoked', async () => {
    const { code, verifier } = await newCode();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => redeem(gateway, clientId, code, verifier)),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(8 - winners.length);
    for (const { body } of winners) expect(await statusWith(gateway, body['access_token'])).toBe(401);
  });
});

describe('a refresh token', () => {
  it('is exchanged for a new pair once', async () => {
    const first = await fetchTokens(gateway, clientId, email);
    const { status, body: second } = await refresh(gateway, clientId, first['refresh_token']);
    expect(status).toBe(200);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: '*' });
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    expect(await statusWith(gateway, second['access_token'])).toBe(200);
    // An access token ends by itself; the pair before stays good until then.
    expect(await statusWith(gateway, first['access_token'])).toBe(200);
    expect((await refresh(gateway, clientId, second['refresh_token'])).status).toBe(200);
  });

  it('used twice revokes its whole family (RFC 9700)', async () => {
    const first = await fetchTokens(gateway, clientId, email);
    const { body: second } = await refresh(gateway, clientId, first['refresh_token']);
    const replay = await refresh(gateway, clientId, first['refresh_token']);
    expect([replay.status, replay.body['error']]).toEqual([400, 'invalid_grant']);
    for (const token of [first['access_token'], second['access_token']])
      expect(await statusWith(gateway, token)).toBe(401);
    expect((await refresh(gateway, clientId, second['refresh_token'])).status).toBe(400);
  });

  it('used concurrently is a replay, too', async () => {
    const { refresh_token } = await fetchTokens(gateway, clientId, email);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refresh(gateway, clientId, refresh_token)),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const { body } of winners) {
      expect(await statusWith(gateway, body['access_token'])).toBe(401);
      expect((await refresh(gateway, clientId, body['refresh_token'])).status).toBe(400);
    }
  });

  it('of another client, or unknown, is refused without other effects', async () => {
    const { refresh_token } = await fetchTokens(gateway, clientId, email);
    const thief = await createClient(gateway);
    for (const [client, token] of [
      [thief, refresh_token],
      [clientId, 'unknown'],
      [clientId, 'x'.repeat(43)],
    ]) {
      const { status, body } = await refresh(gateway, String(client), token);
      expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    }
    expect((await refresh(gateway, clientId, refresh_token)).status).toBe(200);
  });

  it('is valid for 30 days, and its successors expire with it', async () => {
    const first = await fetchTokens(gateway, clientId, email);
    gateway.clock.advanceSeconds(30 * DAY - 60);
    const alive = await refresh(gateway, clientId, first['refresh_token']);
    expect(alive.status).toBe(200);
    gateway.clock.advanceSeconds(120 - 30 * DAY);

    const second = await fetchTokens(gateway, clientId, email);
    gateway.clock.advanceSeconds(30 * DAY + 60);
    const late = await refresh(gateway, clientId, second['refresh_token']);
    gateway.clock.advanceSeconds(-30 * DAY - 60);
    expect(late.body['error']).toBe('invalid_grant');

    const [row] = await gateway.sql.query<{ days: number }>(
      `select max((payload->>'exp')::bigint - (payload->>'iiat')::bigint) / ${DAY} as days
         from oidc_payloads where kind = 'RefreshToken' and payload->>'rotations' <> '0'`,
    );
    expect(Number(row?.days)).toBe(30);
  });

  it('when revoked, ends its access tokens at once', async () => {
    const tokens = await fetchTokens(gateway, clientId, email);
    const fields = { token: String(tokens['refresh_token']), client_id: clientId };
    expect((await postForm(gateway, '/revoke', fields)).status).toBe(200);
    expect(await statusWith(gateway, tokens['access_token'])).toBe(401);
    expect((await refresh(gateway, clientId, tokens['refresh_token'])).status).toBe(400);
  });
});

describe('browsers of other origins', () => {
  it('can redeem a code from any origin, and never with cookies', async () => {
    const { code, verifier } = await newCode();
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code,
      code_verifier: verifier,
    };
    const { status, headers } = await postForm(gateway, '/token', fields, {
      origin: 'https://another.example',
    });
    expect([
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-credentials'),
      headers.get('vary'),
    ]).toEqual([200, '*', null, 'Accept-Encoding']);
  });
});
