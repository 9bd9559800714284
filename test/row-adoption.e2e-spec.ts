import { hash } from '@node-rs/argon2';
import { asOwner, forgetMacs } from './support/as-release-before.js';
import { PASSWORD, refresh } from './support/oauth-api.js';
import { fetchAccessToken } from './support/principals.js';
import { Stage } from './support/forgery-stage.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';

const TABLES = ['users', 'recovery_codes', 'oauth_clients', 'oidc_payloads', 'client_tokens'];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

/** Everything as the release before wrote it: no MAC, no pepper, no mark of a second factor. */
async function asReleaseBefore(): Promise<void> {
  for (const table of TABLES) await forgetMacs(gateway, table);
  const passwordHash = await hash(PASSWORD);
  await asOwner(gateway, async (sql) => {
    await sql.query(
      `update users set password_hash = $1, password_key = null, has_second_factor = false
       where email like 'user-%'`,
      [passwordHash],
    );
  });
}

const audited = () =>
  gateway.sql.query<{ details: { table: string; rows: number } }>(
    `select details from audit_log where act = 'rows.authenticated' order by seq`,
  );

it('rows of the release before stay valid after an upgrade, and are authenticated once', async () => {
  const stage = await Stage.open(gateway);
  const { account, owner } = stage;
  const { token } = await stage.clientToken();
  const factor = await TwoFactorApi.open(account);
  await asReleaseBefore();
  expect(await stage.clientStatus(token)).toBe(401);

  gateway = await gateway.restart();
  stage.gateway = gateway;
  account.gateway = gateway;
  expect(await stage.clientStatus(token)).toBe(200);
  expect(await stage.oauthStatus(account.accessToken)).toBe(200);
  expect((await refresh(gateway, account.clientId, account.refreshToken)).status).toBe(200);
  expect(await fetchAccessToken(gateway, owner.clientId, owner.clientSecret)).not.toBe('');
  // The page for the code, then in.
  expect(await stage.signInStatus(account.user.email)).toBe(200);
  expect(await factor.signInStatus(factor.recoveryCodes[0] ?? '')).toBe(303);
  const [user] = await gateway.sql.query<{ key: string | null }>(
    'select password_key as key from users where id = $1',
    [account.user.id],
  );
  // Hashed again with the pepper at that sign-in.
  expect(user?.key).toBe(gateway.config.appKeys[0]?.id);
  const entries = await audited();
  expect(entries.map(({ details }) => details.table).toSorted()).toEqual(TABLES.toSorted());

  gateway = await gateway.restart();
  expect(await audited()).toHaveLength(entries.length);
});

it('processes that start together authenticate the rows of the release before once', async () => {
  const stage = await Stage.open(gateway);
  await asReleaseBefore();
  const others = await Promise.all([gateway.another(), gateway.another()]);
  expect(await stage.oauthStatus(stage.account.accessToken)).toBe(200);
  expect(await audited()).toHaveLength(3);
  for (const other of others) await other.close();
});

it('a writer who resets the mark of a table cannot have a row of its own authenticated', async () => {
  const stage = await Stage.open(gateway);
  await asOwner(gateway, async (sql) => {
    await sql.query('update authenticated_tables set adopted_at = null');
    await sql.query('update users set is_operator = true, mac = null where id = $1', [stage.account.user.id]);
  });
  gateway = await gateway.restart();
  stage.gateway = gateway;
  expect(await stage.operatorStatus(stage.account.accessToken)).toBe(401);
});
