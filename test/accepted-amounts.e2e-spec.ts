import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { AcceptedAmounts1795224000035 } from '../migrations/1795224000035-accepted-amounts.js';
import { migrations } from '../migrations/index.js';
import { dataSourceOptions, migrate } from '../src/platform/database/database.js';
import { describeGuards } from './support/guard-suite.js';
import { copy, EVENT, OTHER_PAYMENT, PAYMENT, SEED } from './support/guarded-rows.js';
import { databaseUrl } from './support/test-server.js';

const ACCEPTED = `update payments set underpay_accepted_at = now(), received_amount = 60`;
const UNDO = 'update payments set underpay_accepted_at = null';
const of = (payment: string) => `where id = '${payment}'`;

describeGuards(
  {
    seed: `${SEED} ${ACCEPTED}, underpay_accepted_amount = 60 ${of(PAYMENT)};`,
    refused: [
      ...['NaN', '-1'].map((amount): [string, string, string] => [
        `an accepted amount of ${amount}`,
        `${ACCEPTED}, underpay_accepted_amount = '${amount}' ${of(OTHER_PAYMENT)}`,
        'payments_underpay_accepted_amount_check',
      ]),
      ...[59, 61].map((amount): [string, string, string] => [
        `an accepted amount that becomes ${amount}`,
        `update payments set underpay_accepted_amount = ${amount} ${of(PAYMENT)}`,
        'the amount that was accepted is fixed',
      ]),
      [
        'a payment that is born with an accepted amount',
        copy('payments', OTHER_PAYMENT, { underpay_accepted_amount: '60' }),
        'payments_accepted_amount_check',
      ],
    ],
    allowed: [
      ['an acceptance undone with its amount', `${UNDO}, underpay_accepted_amount = null ${of(PAYMENT)}`],
      ['more funds after the acceptance', `update payments set received_amount = 100 ${of(PAYMENT)}`],
      [
        'another amount, accepted after the first one was undone',
        `${UNDO} ${of(PAYMENT)}; ${ACCEPTED}, underpay_accepted_amount = 59 ${of(PAYMENT)}`,
      ],
    ],
  },
  (client) => {
    const amount = async (payment: string) => {
      const { rows } = await client().query<{ amount: string | null }>(
        `select underpay_accepted_amount as amount from payments ${of(payment)}`,
      );
      return rows[0]?.amount;
    };

    // The statements of the release before: they know the time of an acceptance, and no amount.
    it('remembers what the previous release accepts, and forgets what it takes back', async () => {
      await client().query(`${ACCEPTED} ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBe('60');
      await client().query(`update payments set received_amount = 70, acknowledged_at = now()`);
      expect(await amount(OTHER_PAYMENT)).toBe('60');
      await client().query(`${UNDO}, received_amount = 50 ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBeNull();
      await client().query(`update payments set underpay_accepted_at = now() ${of(OTHER_PAYMENT)}`);
      expect(await amount(OTHER_PAYMENT)).toBe('50');
    });
  },
);

describe('payments whose underpayment was accepted before amounts were remembered', () => {
  const now = '2026-11-01T00:00:00Z';
  const told = (atomic: string) => JSON.stringify({ payment: { receivedAmount: { atomic } } });
  const RECEIVED = { status: 'RECEIVED', found_at: now, underpay_accepted_at: now };
  const CONFIRMED = { ...RECEIVED, status: 'CONFIRMED', confirmed_at: now };

  interface Old {
    payment: Record<string, string | null>;
    /** Bodies of payment.received, the oldest first. */
    events?: string[];
  }
  interface Migrated {
    amount: string | null;
    reviewReason: string | null;
    isDue: boolean;
  }
  const quiet = { reviewReason: null, isDue: false };
  const CASES: [name: string, old: Old, expected: Migrated][] = [
    [
      'not accepted: nothing',
      { payment: { status: 'UNDERPAID', found_at: now, received_amount: '60' } },
      { amount: null, ...quiet },
    ],
    [
      'what payment.received told, also when more came later',
      { payment: { ...RECEIVED, received_amount: '100', settled_amount: '61' }, events: [told('60')] },
      { amount: '60', ...quiet },
    ],
    [
      'what the newest payment.received told',
      { payment: { ...CONFIRMED, received_amount: '60' }, events: [told('70'), told('60')] },
      { amount: '60', ...quiet },
    ],
    [
      'where no event tells it, what was settled in the same currency',
      { payment: { ...CONFIRMED, received_amount: '70', settled_amount: '60' }, events: ['{}'] },
      { amount: '60', ...quiet },
    ],
    [
      'where nothing tells it, what is confirmed now',
      {
        payment: {
          ...CONFIRMED,
          received_amount: '60',
          settled_amount: '5',
          settlement_currency_code: 'EUR',
        },
      },
      { amount: '60', ...quiet },
    ],
    [
      'CONFIRMED and taken by a reorg since: a person must look',
      { payment: { ...CONFIRMED, received_amount: '0' }, events: [told('60')] },
      { amount: '60', reviewReason: 'reorg', isDue: false },
    ],
    [
      'RECEIVED and in part taken by a reorg since: judged again',
      { payment: { ...RECEIVED, received_amount: '50' }, events: [told('60')] },
      { amount: '60', reviewReason: null, isDue: true },
    ],
  ];
  const ids = CASES.map((_, i) => `00000000-0000-7000-8000-0000000d000${i}`);
  let client: pg.Client;

  beforeAll(async () => {
    const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
    const name = `old_${randomBytes(8).toString('hex')}`;
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    const url = databaseUrl(adminUrl, name);
    const older = migrations.slice(0, migrations.indexOf(AcceptedAmounts1795224000035));
    const before = new DataSource({ ...dataSourceOptions(url, 2), migrations: older } as DataSourceOptions);
    await before.initialize();
    await before.runMigrations();
    await before.destroy();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(SEED);
    await client.query('set session_replication_role = replica');
    for (const [i, [, { payment, events = [] }]] of CASES.entries()) {
      const id = ids[i] ?? '';
      await client.query(copy('payments', OTHER_PAYMENT, { id, created_at: now, ...payment }));
      for (const [n, body] of events.entries()) {
        const event = {
          id: `00000000-0000-7000-8000-0000000e00${i}${n}`,
          payment_id: id,
          seq: `${n + 3}`,
          body,
        };
        await client.query(copy('payment_events', EVENT, event));
      }
    }
    await client.query('set session_replication_role = origin');
    await migrate(url);
  });
  afterAll(() => client.end());

  it.each(CASES.map(([name, , expected], i) => [name, ids[i], expected] as const))(
    'remember %s',
    async (_name, id, expected) => {
      const { rows } = await client.query<Migrated>(
        `select underpay_accepted_amount as amount, review_reason as "reviewReason", recheck_at is not null as "isDue"
         from payments where id = $1`,
        [id],
      );
      expect(rows).toEqual([expected]);
    },
  );
});
