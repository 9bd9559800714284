import { jest } from '@jest/globals';
import fc from 'fast-check';
import { PaymentListService } from '../src/payments/payment-list.service.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { seedOf } from './support/seeded-random.js';
import { TenantRows } from './support/tenant-rows.js';
import { fullAim, programs, TwoTenants, type Victim } from './support/two-tenants.js';

const SEED = seedOf('TWO_TENANTS_SEED');
/** More runs search longer: 100 each night. */
const RUNS = Number(process.env['TWO_TENANTS_RUNS'] ?? 10);
/** Milliseconds, against hanging alone. */
const LIMIT_MS = 300_000;

let tenants: TwoTenants;
let victim: Victim;
beforeAll(async () => {
  tenants = await TwoTenants.open();
  victim = await tenants.createVictim();
});
afterAll(() => tenants.close());

const property = (of: Victim) => fc.asyncProperty(programs, (program) => tenants.run(program, of));

it.each(['oauth', 'client'] as const)(
  "every request of one tenant (%s) about the other's objects is refused",
  async (by) => {
    for (let which = 0; which < victim.fixtures.length; which++)
      await tenants.run(fullAim(by, which), victim);
  },
  LIMIT_MS,
);

it(
  'random requests of one tenant neither change nor show anything of the other',
  async () => {
    await fc.assert(property(victim), { seed: SEED, numRuns: RUNS, endOnFailure: true });
    const { steps, comparisons, successes } = tenants;
    process.stdout.write(
      `two tenants: ${steps} requests, ${comparisons} about the other tenant, ${successes} with success\n`,
    );
    // A program that never aims, or that is refused everything, would find nothing.
    expect(Math.min(comparisons, successes)).toBeGreaterThan(20);
  },
  LIMIT_MS + RUNS * 20_000,
);

describe('the comparison itself', () => {
  it('covers every table that has rows of users', async () => {
    const covered = new Set(
      (await tenants.rows.read(victim.owner.userId)).map((row) => row.split(' ', 1)[0]),
    );
    expect(tenants.rows.tables.filter((table) => !covered.has(table))).toEqual([]);
  });

  it('fails on a table that is not classified', async () => {
    const { sql } = tenants.harness;
    await sql.query('create table unclassified (id uuid)', []);
    await expect(TenantRows.of(sql)).rejects.toThrow('Whose are the rows of the table "unclassified"?');
    await sql.query('drop table unclassified', []);
  });

  it.each([
    ['a changed row', `update sites set title = title || '!' where user_id = $1`],
    [
      'a row more',
      `insert into idempotency_keys (user_id, application, method, path, key, body_hash, created_at, expires_at)
       select user_id, application, method, path, key || '2', body_hash, created_at, expires_at
       from idempotency_keys where user_id = $1`,
    ],
    ['a row less', `delete from client_tokens where user_id = $1`],
    [
      'a changed row below the tenant',
      `update webhook_endpoints set reason = 'x' where application_id in (select id from payment_applications where user_id = $1)`,
    ],
  ])('detects %s', async (_what, statement) => {
    const { harness, rows } = tenants;
    const { userId } = victim.owner;
    const before = await rows.read(userId);
    const undo = new Error('undo');
    const change = harness.sql.transaction(async (tx) => {
      await tx.query(statement, [userId]);
      expect(await rows.read(userId, tx)).not.toEqual(before);
      throw undo;
    });
    await expect(change).rejects.toBe(undo);
    expect(await rows.read(userId)).toEqual(before);
  });
});

describe('a planted leak', () => {
  /** Runs programs against a gateway that was broken on purpose, and a victim who may come to harm. */
  async function findLeak(): Promise<string> {
    const found = await fc.check(property(await tenants.createVictim()), {
      seed: 1,
      numRuns: 60,
      endOnFailure: true,
    });
    return found.failed ? String(found.errorInstance) : 'nothing found';
  }

  it('is found where a payment is read without its owner', async () => {
    const payments = tenants.harness.gateway.get(PaymentsService);
    const leaky = jest.spyOn(payments, 'getOwned').mockImplementation((_owner, id) => payments.get(id));
    try {
      // Or the gateway stumbles over what it should not have read: the wallets of this harness hold no real keys.
      expect(await findLeak()).toMatch(
        /(in|from) (GET|POST) \/api\/payment\/|do not answer like missing ones|differs from one for missing ids/,
      );
    } finally {
      leaky.mockRestore();
    }
  });

  it('is found where something is written without its owner, although no response shows it', async () => {
    const { gateway, sql } = tenants.harness;
    const lists = gateway.get(PaymentListService);
    const list = lists.list.bind(lists);
    const leaky = jest.spyOn(lists, 'list').mockImplementation(async (userId, query) => {
      await sql.query(`update sites set setting_title = 'touched'`, []);
      return list(userId, query);
    });
    try {
      expect(await findLeak()).toContain('rows of the other tenant changed');
    } finally {
      leaky.mockRestore();
    }
  });
});
