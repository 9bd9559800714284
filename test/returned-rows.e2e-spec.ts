import { createHash } from 'node:crypto';
import { AccessLinksService } from '../src/identity/oauth/access-links.service.js';
import { ProvisioningService } from '../src/identity/oauth/provisioning.service.js';
import { AccountMemberRepository } from '../src/identity/oauth/people/account-member.repository.js';
import { MembersService } from '../src/identity/oauth/people/members.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AuditWatch } from '../src/platform/integrity/audit-watch.service.js';
import { RowFingerprints } from '../src/platform/integrity/row-fingerprints.service.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { asOwner } from './support/as-owner.js';
import { Browser } from './support/browser.js';
import { tokensPath } from './support/client-tokens.js';
import { Stage } from './support/forgery-stage.js';
import { basic, PASSWORD, postForm } from './support/oauth-api.js';
import { createOwner, createOwnerWithClient, fetchAccessToken } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { AUDITED_TABLES, copyRows, putBack } from './support/returned-rows.js';
import { SECRET, Shop } from './support/shop.js';

const NEW_PASSWORD = 'seventeen green umbrellas';

let shop: Shop;
let stage: Stage;
let operatorToken: string;

beforeAll(async () => {
  shop = await Shop.open();
  stage = await Stage.open(shop.gateway);
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
});
afterAll(() => shop.close());

const get = <T>(type: new (...args: never[]) => T) => shop.gateway.get(type);

async function named(): Promise<string[]> {
  const { body } = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  return body.data.differences.map(({ check, subject }) => `${check}: ${subject}`);
}

async function reported(table: string): Promise<number> {
  const { values } = await get(Meters).unauthentic.get();
  return values.find(({ labels }) => labels.table === table)?.value ?? 0;
}

const tableOf = (name: string) => {
  const table = AUDITED_TABLES.find((each) => each.name === name);
  if (!table) throw new Error(`${name} is not listed`);
  return table;
};

/** Runs `act`, writes the row of before over what it left, lets `look` see it, and takes it away again. */
async function whileReturned(
  name: string,
  key: string,
  act: () => Promise<unknown>,
  look: () => Promise<unknown>,
): Promise<void> {
  const { sql } = shop.gateway;
  const table = tableOf(name);
  const before = (await copyRows(sql, table)).get(key);
  if (before === undefined) throw new Error(`no row ${key} in ${name}`);
  await act();
  expect(await named()).toEqual([]);
  const after = (await copyRows(sql, table)).get(key) ?? null;
  await asOwner(shop.gateway, (tx) => putBack(tx, table, key, before));
  await look();
  expect(await named()).toEqual([`row: ${name} ${key}`]);
  const count = await reported(name);
  for (let turn = 0; turn < 2; turn++) await get(AuditWatch).runOnce();
  expect(await reported(name)).toBe(count + 1);
  await asOwner(shop.gateway, (tx) => putBack(tx, table, key, after));
  expect(await named()).toEqual([]);
  await get(AuditWatch).runOnce();
}

describe('an authentic row of an earlier time is named while it is there:', () => {
  it('a user with the password of before', async () => {
    const { id, email } = stage.account.user;
    await whileReturned(
      'users',
      id,
      () => get(UsersService).changePassword(id, NEW_PASSWORD),
      async () => expect(await stage.signInStatus(email, PASSWORD)).toBe(303),
    );
    expect(await stage.signInStatus(email, PASSWORD)).toBe(422);
  });

  it('a user with the rights of before', async () => {
    const id = await stage.newOperator();
    const revoke = () => get(UsersService).setOperator(id, false);
    await whileReturned('users', id, revoke, async () => {
      expect((await get(UsersService).findActive(id))?.isOperator).toBe(true);
    });
  });

  it('a client token that was revoked', async () => {
    const { id, token } = await stage.clientToken();
    const path = `${tokensPath(stage.applicationId)}/${id}`;
    await whileReturned(
      'client_tokens',
      id,
      () => shop.call('DELETE', path, stage.owner.accessToken),
      async () => expect(await stage.clientStatus(token)).toBe(200),
    );
  });

  it('an access token that was revoked', async () => {
    const { clientId, clientSecret } = await createOwnerWithClient(shop.gateway);
    const token = await fetchAccessToken(shop.gateway, clientId, clientSecret);
    const id = createHash('sha256').update(token).digest('base64url');
    await whileReturned(
      'oidc_payloads',
      `ClientCredentials/${id}`,
      () => postForm(shop.gateway, '/revoke', { token }, basic(clientId, clientSecret)),
      async () => expect(await stage.oauthStatus(token)).not.toBe(401),
    );
    expect(await stage.oauthStatus(token)).toBe(401);
  });

  it('a member who was removed, and a role of before', async () => {
    const [owner, member] = [await createOwner(shop.gateway), await createOwner(shop.gateway)];
    const members = get(MembersService);
    await shop.gateway.sql.transaction(() => members.add(owner.userId, member.userId, 'viewer'));
    await whileReturned(
      'account_members',
      `${owner.userId}/${member.userId}`,
      () => members.remove(owner.userId, member.userId),
      async () => expect(await members.findRole(owner.userId, member.userId)).toBe('viewer'),
    );
  });

  it('settings with the callback URL of before, and the secret of before', async () => {
    const { id, site } = await shop.application();
    const put = (changes: object) =>
      shop.call('PUT', `/api/payment-applications/${id}`, shop.owner.accessToken, changes);
    await whileReturned(
      'sites',
      site.id,
      () => put({ callbackUrl: `${shop.merchant.url}/new` }),
      async () => undefined,
    );
    const secret = `whsec_${Buffer.from('another secret of thirty-two bytes').toString('base64')}`;
    expect(secret).not.toBe(SECRET);
    await whileReturned(
      'payment_applications',
      id,
      () => put({ secret }),
      async () => undefined,
    );
  });

  it('an OAuth client with the secret of before', async () => {
    const { clientId } = await createOwnerWithClient(shop.gateway);
    await whileReturned(
      'oauth_clients',
      clientId,
      () => get(ProvisioningService).changeSecret(clientId, 'another secret of enough letters'),
      async () => undefined,
    );
  });

  it('a password link that was used', async () => {
    const { userId } = await createOwner(shop.gateway);
    const { link, url } = await get(AccessLinksService).createPasswordReset(userId);
    const use = async () => {
      const { status } = await new Browser(shop.gateway).submit(url, { password: NEW_PASSWORD });
      expect(status).toBe(200);
    };
    const { sql } = shop.gateway;
    const before = (await copyRows(sql, tableOf('access_links'))).get(link.id) ?? '';
    await use();
    expect(await named()).toEqual([]);
    await asOwner(shop.gateway, (tx) => putBack(tx, tableOf('access_links'), link.id, before));
    expect(await named()).toEqual([`row: access_links ${link.id}`]);
  });
});

describe('what is no row that came back', () => {
  it('a row that is older than its table in the audit log is unknown', async () => {
    const { userId } = await createOwner(shop.gateway);
    // As before there were fingerprints: no entry lists the user.
    await asOwner(shop.gateway, async (sql) => {
      await sql.query(`update audit_log set details = '{}' where target_id = $1`, [userId]);
      await sql.query(`update users set email = 'x' || email where id = $1`, [userId]);
    });
    const found = await get(RowFingerprints).listDifferences();
    expect(found.map(({ object }) => object)).not.toContain(`users ${userId}`);
  });

  it('the use of a token, and a wrong form of an entry, change nothing', async () => {
    const before = await get(RowFingerprints).listDifferences();
    const { token } = await stage.clientToken();
    shop.gateway.clock.advanceSeconds(120);
    expect(await stage.clientStatus(token)).toBe(200);
    await asOwner(shop.gateway, async (sql) => {
      await sql.query(
        `update audit_log set details = '{"rows":7}' where seq = (select min(seq) from audit_log)`,
      );
    });
    expect(await get(RowFingerprints).listDifferences()).toEqual(before);
  });
});

it('a transaction that changes a row and records nothing is refused', async () => {
  const { userId } = await createOwner(shop.gateway);
  const [owner, members] = [await createOwner(shop.gateway), get(MembersService)];
  await shop.gateway.sql.transaction(() => members.add(owner.userId, userId, 'viewer'));
  const change = () =>
    shop.gateway.sql.transaction(async () => {
      await shop.gateway.get(AccountMemberRepository).delete(owner.userId, userId);
    });
  await expect(change()).rejects.toThrow('no entry of the audit log lists account_members');
  expect(await members.findRole(owner.userId, userId)).toBe('viewer');
});
