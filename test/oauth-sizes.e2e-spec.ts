import { randomBytes } from 'node:crypto';
import { OidcStore } from '../src/identity/oauth/oidc-store.js';
import { Browser } from './support/browser.js';
import { authorizeUrl, createClient, createUser, postForm, signIn } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let clientId: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  clientId = await createClient(gateway);
});
afterAll(() => gateway.close());

/** Text that does not compress. */
const noise = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
const ask = (url: string, accept = '*/*') =>
  fetch(`${gateway.baseUrl}${url}`, { redirect: 'manual', headers: { accept } });

/** Bytes of every row that can be written, and how many there are. */
async function stored(): Promise<{ rows: number; bytes: number }> {
  const [total] = await gateway.sql.query<{ rows: number; bytes: number }>(
    `select count(*)::int as rows, coalesce(sum(length(p::text)), 0)::int as bytes from oidc_payloads p`,
  );
  return total ?? { rows: 0, bytes: 0 };
}
const auditRows = async () => (await gateway.sql.query('select 1 from audit_log')).length;

describe('an authorization request', () => {
  it.each([
    ['state', 2_049],
    ['nonce', 513],
    ['scope', 1_025],
    ['redirect_uri', 2_049],
    ['client_id', 256],
    ['login_hint', 321],
    ['claims', 1_025],
    ['acr_values', 129],
    ['ui_locales', 129],
    ['code_challenge', 129],
  ])('with a long %s is refused, and nothing is stored', async (name, length) => {
    const before = await stored();
    const url = authorizeUrl(clientId, { [name]: noise(length) });
    const answer = await ask(url);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      error_description: `${name} is longer than ${length - 1} characters`,
    });
    const page = await ask(url, 'text/html');
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`invalid_request: ${name} is longer than ${length - 1} characters`);
    expect(await stored()).toEqual(before);
  });

  it('with the longest state that is allowed leads to the client with it', async () => {
    const state = noise(2_048);
    const { email } = await createUser(gateway);
    const back = await signIn(new Browser(gateway), email, authorizeUrl(clientId, { state }));
    expect(back.searchParams.get('state')).toBe(state);
  });

  it('stores one row of at most 6 KB for a stranger, which is deleted an hour later', async () => {
    const [before, acts] = [await stored(), await auditRows()];
    const url = authorizeUrl(clientId, {
      state: noise(2_048),
      nonce: noise(512),
      login_hint: noise(320),
      acr_values: noise(128),
      ui_locales: noise(128),
      claims_locales: noise(128),
      scope: `openid * ${noise(1_000)}`,
      // Not stored.
      claims: noise(1_024),
      unknown: noise(1_000),
    });
    for (let i = 0; i < 10; i++) expect((await ask(url)).status).toBe(303);
    const { rows, bytes } = await stored();
    expect(rows - before.rows).toBe(10);
    expect((bytes - before.bytes) / 10).toBeLessThan(6 * 1_024);
    expect(await auditRows()).toBe(acts);
    gateway.clock.advanceSeconds(3_601);
    await gateway.get(OidcStore).purgeExpired();
    expect((await stored()).rows).toBeLessThanOrEqual(before.rows);
  });
});

describe('a token request', () => {
  it.each([
    ['code', 512],
    ['code_verifier', 128],
    ['refresh_token', 512],
    ['scope', 1_024],
    ['client_id', 255],
    ['redirect_uri', 2_048],
  ])('with a long %s is refused', async (name, most) => {
    const fields = { grant_type: 'authorization_code', client_id: clientId, code: 'x' };
    const { status, body } = await postForm(gateway, '/token', { ...fields, [name]: noise(most + 1) });
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_request', error_description: `${name} is longer than ${most} characters` },
    ]);
  });

  it('that is refused stores nothing', async () => {
    const [before, acts] = [await stored(), await auditRows()];
    for (const grant of ['authorization_code', 'refresh_token', 'client_credentials', noise(100)])
      for (const client of [clientId, 'nobody']) {
        const fields = { grant_type: grant, client_id: client, code: noise(43), refresh_token: noise(43) };
        expect((await postForm(gateway, '/token', fields)).status).toBeGreaterThanOrEqual(400);
      }
    expect([await stored(), await auditRows()]).toEqual([before, acts]);
  });
});
