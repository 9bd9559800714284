import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { tableOf } from '../src/platform/database/entity-table.js';
import { CLIENT_TOKENS } from '../src/tokens/client-token.entity.js';
import { OAUTH_CLIENTS } from '../src/identity/oauth/oauth-client.entity.js';
import { OIDC_PAYLOADS } from '../src/identity/oauth/oidc-payload.entity.js';
import { RECOVERY_CODES_TABLE } from '../src/identity/oauth/people/recovery-code.entity.js';
import { USERS } from '../src/identity/oauth/people/user.entity.js';
import { FORGERIES } from './support/forgeries.js';
import { Stage } from './support/forgery-stage.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function reported(table: string): Promise<number> {
  const { values } = await gateway.get(Meters).unauthentic.get();
  return values.find(({ labels }) => labels.table === table)?.value ?? 0;
}

describe('what a writer of the database without APP_KEYS makes', () => {
  it.each(FORGERIES.map((forgery) => [forgery.name, forgery] as const))(
    'is refused and reported: %s',
    async (_name, { table, run, refused }) => {
      const before = await reported(table);
      expect(await run(await Stage.open(gateway))).toBe(refused);
      expect(await reported(table)).toBeGreaterThan(before);
    },
  );
});

it('what the gateway itself wrote is accepted, and nothing is reported', async () => {
  const fresh = await startTestGateway();
  const stage = await Stage.open(fresh);
  const { token } = await stage.clientToken({ scopes: ['payments.get'] });
  await fresh.get(UsersService).setOperator(stage.account.user.id, true);
  expect([
    await stage.clientStatus(token),
    await stage.operatorStatus(stage.account.accessToken),
    await stage.signInStatus(stage.account.user.email),
  ]).toEqual([200, 200, 303]);
  const { values } = await fresh.get(Meters).unauthentic.get();
  expect(values.map(({ value }) => value)).toEqual(values.map(() => 0));
  await fresh.close();
});

it('a user whose row was changed can sign in again after the operator restored them, without the forged rights', async () => {
  const stage = await Stage.open(gateway);
  const { email, id } = stage.account.user;
  await stage.write('update users set is_operator = true where id = $1', [id]);
  await gateway.get(UsersService).restore(email, 'a fresh password of theirs');
  expect(await stage.signInStatus(email)).toBe(422);
  expect(await stage.signInStatus(email, 'a fresh password of theirs')).toBe(303);
  expect((await gateway.get(UsersService).findActive(id))?.isOperator).toBe(false);
});

/** Columns that no right depends on; what a new column is must be decided. */
const UNAUTHENTICATED = {
  users: ['name', 'createdAt', 'mac'],
  recovery_codes: ['createdAt', 'mac'],
  oauth_clients: ['createdAt', 'mac'],
  oidc_payloads: ['mac'],
  client_tokens: ['label', 'tokenPrefix', 'lastUsedAt', 'createdAt', 'mac'],
};

it.each([
  ['users', USERS],
  ['recovery_codes', RECOVERY_CODES_TABLE],
  ['oauth_clients', OAUTH_CLIENTS],
  ['oidc_payloads', OIDC_PAYLOADS],
  ['client_tokens', CLIENT_TOKENS],
] as const)('the MAC of %s covers every column but those that grant nothing', (name, { entity, fields }) => {
  const columns = [...tableOf(entity as new () => object).columns.keys()];
  expect([...fields, ...UNAUTHENTICATED[name]].toSorted()).toEqual(columns.toSorted());
});
