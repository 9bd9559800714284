import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import { PaymentRepository } from '../src/payments/payment.repository.js';
import { PaymentSweep } from '../src/payments/payment-sweep.service.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { Sql } from '../src/platform/database/sql.js';
import { DatabaseThief, type Statement } from './support/database-thief.js';
import type { CreatedPayment } from './support/merchant-api.js';
import { MerchantServer } from './support/merchant-server.js';
import { fetchAccessToken } from './support/principals.js';
import { Shop, type ShopApplication } from './support/shop.js';

/** A writer of the database without APP_KEYS: `app` has the gateway's own role, `owner` switches triggers off. */
type Role = 'app' | 'owner';

let shop: Shop;
let thiefServer: MerchantServer;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
  thiefServer = await MerchantServer.start();
  application = await shop.application();
});
afterAll(async () => {
  await thiefServer.down();
  await shop.close();
});

async function forge(role: Role, statements: readonly Statement[]): Promise<void> {
  if (role === 'owner') return new DatabaseThief(shop.gateway.sql).tamper(statements);
  await shop.gateway.get(Sql).transaction(async (tx) => {
    for (const [text, values = []] of statements) await tx.query(text, values);
  });
}

const TABLES = {
  payments: 'id',
  quotes: 'payment_id',
  payment_transfers: 'payment_id',
  payment_status_history: 'payment_id',
} as const;
type Saved = Record<string, string[]>;

async function save({ id }: CreatedPayment): Promise<Saved> {
  const saved: Saved = {};
  for (const [table, key] of Object.entries(TABLES)) {
    const rows = await shop.gateway.sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t where ${key} = $1`,
      [id],
    );
    saved[table] = rows.map(({ row }) => row);
  }
  return saved;
}

/** The rows of a payment as a backup has them; transfers that the gateway recorded since then stay. */
async function putBack({ id }: CreatedPayment, saved: Saved): Promise<void> {
  const FROM_SAVED = `from unnest($1::text[]) saved, jsonb_populate_record(null::payment_transfers, saved::jsonb) s
    where t.id = s.id`;
  await new DatabaseThief(shop.gateway.sql).tamper([
    [
      `update payment_transfers t set amount = s.amount, quote_id = s.quote_id,
         place_mac = case when t.place_mac = repeat('0', 64) then s.place_mac else t.place_mac end ${FROM_SAVED}`,
      [saved['payment_transfers']],
    ],
  ]);
  // With triggers, which keep the holdings of the application.
  await shop.gateway.sql.query(
    `update payment_transfers t set state = s.state, block_height = s.block_height, confirmed_at = s.confirmed_at
     ${FROM_SAVED} and t.place_mac is not distinct from s.place_mac`,
    [saved['payment_transfers']],
  );
  await new DatabaseThief(shop.gateway.sql).tamper(
    Object.entries(TABLES).flatMap(([table, key]): Statement[] => [
      [
        `delete from ${table} t where ${key} = $1 ${table === 'payment_transfers' ? 'and mac is null' : ''}`,
        [id],
      ],
      [
        `insert into ${table} select (jsonb_populate_record(null::${table}, s::jsonb)).* from unnest($1::text[]) s
         on conflict do nothing`,
        [saved[table]],
      ],
    ]),
  );
  // Its time to be looked at again is part of its row.
  await shop.gateway.sql.query('update payments set recheck_at = now() - $2::interval where id = $1', [
    id,
    '100 years',
  ]);
}

const TRANSFER = (state: string, credited = 'q.priced_amount') => `
  insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset,
    currency_code, asset_decimals, amount, floor, is_dust, state, block_height, block_hash, block_time,
    confirmations_required, quote_id, is_matched, is_late, seen_at, confirmed_at, credited_amount)
  select gen_random_uuid(), q.payment_id, q.user_id, d.id, q.chain, '0x' || md5(q.id::text) || md5(q.id::text), 'call',
    q.asset, q.currency_code, q.asset_decimals, q.asset_amount, 1, false, '${state}', 1, '0x01', q.locked_at, 1, q.id, true,
    false, q.locked_at, q.locked_at, ${credited}
  from quotes q join deposit_addresses d on d.payment_id = q.payment_id where q.payment_id = $1`;
const RECHECK = 'update payments set recheck_at = created_at where id = $1';
const MOVE = (seq: number, from: string, to: string, changes: string): string[] => [
  `update payments set status = '${to}', status_seq = ${seq}, ${changes} where id = $1`,
  `insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
   select id, user_id, ${seq}, '${from}', '${to}', 'x', created_at from payments where id = $1`,
];
const CONFIRMED = [
  ...MOVE(2, 'OPEN', 'FOUND', 'found_at = created_at'),
  ...MOVE(3, 'FOUND', 'RECEIVED', 'received_at = created_at, received_amount = amount'),
  ...MOVE(4, 'RECEIVED', 'CONFIRMED', 'confirmed_at = created_at, acknowledged_at = created_at'),
];

interface Forgery {
  name: string;
  role: Role;
  statements: string[];
  /** What of the payment the statements need besides; `paid`: the customer pays what the page says before; `mined`: all of it, in a block. */
  paid?: 'before' | 'after' | 'mined';
  /** The customer has looked at another coin before, so that there is a genuine quote of it. */
  hasOtherQuote?: true;
  /** What becomes of it after the rows are put back, unless that follows from `paid`. */
  restored?: string;
}

const FORGERIES: Forgery[] = [
  {
    name: 'a confirmed transfer, and when to look (B2b)',
    role: 'app',
    statements: [TRANSFER('confirmed'), RECHECK],
  },
  { name: 'a status with its history (B1b)', role: 'app', statements: CONFIRMED },
  {
    name: 'a transfer that looks like one of the release before',
    role: 'app',
    statements: [TRANSFER('confirmed', 'null')],
    paid: 'after',
  },
  {
    name: 'a transfer beside a genuine one',
    role: 'app',
    statements: [TRANSFER('confirmed'), RECHECK],
    paid: 'before',
  },
  {
    name: 'a quote of one unit for the rest',
    role: 'app',
    statements: [
      `insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount, asset_amount,
         rate, rate_source, rate_inputs, is_late, locked_at, expires_at)
       select gen_random_uuid(), payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount, 1, rate,
         rate_source, rate_inputs, false, locked_at + interval '1 second', expires_at from quotes where payment_id = $1`,
    ],
    paid: 'after',
  },
  {
    name: "the payment's own callback URL (A2)",
    role: 'owner',
    statements: ['update payments set callback_url = $2 where id = $1 and $2::text is not null'],
    paid: 'after',
  },
  {
    name: 'what a coin is worth (B3)',
    role: 'owner',
    statements: ['update quotes set asset_amount = 1 where payment_id = $1'],
    paid: 'after',
    // Without its quote, what came was not asked for: it is recorded, and the merchant accepts it.
    restored: 'OPEN',
  },
  {
    name: 'the amount (B4)',
    role: 'owner',
    statements: ['update payments set amount = 1 where id = $1'],
    paid: 'after',
  },
  {
    name: 'the amount of a transfer',
    role: 'owner',
    statements: ['update payment_transfers set amount = amount * 2 where payment_id = $1', RECHECK],
    paid: 'before',
  },
  {
    name: 'a transfer that is confirmed',
    role: 'app',
    statements: [
      `update payment_transfers set state = 'confirmed', confirmed_at = seen_at where payment_id = $1`,
      RECHECK,
    ],
    paid: 'mined',
  },
  {
    name: 'a block that is deep enough',
    role: 'app',
    statements: ['update payment_transfers set block_height = 1 where payment_id = $1', RECHECK],
    paid: 'mined',
  },
  {
    name: 'the MAC of a block alone',
    role: 'app',
    statements: [`update payment_transfers set place_mac = repeat('0', 64) where payment_id = $1`, RECHECK],
    paid: 'mined',
  },
  {
    name: 'a genuine quote of another coin',
    // A trigger refuses it to the gateway's role.
    role: 'owner',
    statements: [
      `update payment_transfers t set quote_id = q.id from quotes q
       where t.payment_id = $1 and q.payment_id = t.payment_id and q.currency_code <> t.currency_code`,
      RECHECK,
    ],
    paid: 'mined',
    hasOtherQuote: true,
  },
  {
    name: 'when the link ends',
    role: 'owner',
    statements: [`update payments set expires_at = expires_at + interval '1 year' where id = $1`],
    paid: 'after',
  },
  {
    name: 'a status alone',
    role: 'owner',
    paid: 'after',
    statements: [
      `update payments set status = 'CONFIRMED', found_at = created_at, received_at = created_at, received_amount = amount,
         confirmed_at = created_at, acknowledged_at = created_at where id = $1`,
    ],
  },
  {
    name: 'a history that is cut',
    role: 'owner',
    statements: ['delete from payment_status_history where payment_id = $1'],
    paid: 'after',
  },
];

const reported = async () => {
  const { values } = await shop.gateway.get(Meters).unauthentic.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};
const genuineMoves = ({ id }: CreatedPayment) =>
  shop.gateway.sql.query(
    'select seq from payment_status_history where payment_id = $1 and mac is not null order by seq',
    [id],
  );
const events = ({ id }: CreatedPayment) =>
  shop.gateway.sql.query('select type from payment_events where payment_id = $1 order by seq', [id]);
const listed = async (reference: string) => {
  const { body } = await shop.call<{ id: string; status: string }[]>(
    'GET',
    `/api/payment/by-reference?reference=${reference}`,
    application.clientToken,
  );
  return body.data.map(({ status }) => status);
};

/** What the queue of the merchant says about a payment. */
const needsSomebody = async ({ id }: CreatedPayment) => {
  const { clientId, clientSecret } = shop.owner;
  const token = await fetchAccessToken(shop.gateway, clientId, clientSecret);
  const { body } = await shop.call<AttentionItemContract[]>('GET', '/api/attention?limit=100', token);
  return body.data
    .filter(({ payment }) => payment?.id === id)
    .map(({ kind, payment, actions }) => ({
      kind,
      status: payment?.status,
      actions: actions.map(({ name }) => name),
    }));
};

describe.each(FORGERIES)(
  'forged by a writer of the database ($role): $name',
  ({ role, statements, paid, restored, hasOtherQuote }) => {
    it('nothing moves, is announced, said or decided, until the rows are put back', async () => {
      const reference = crypto.randomUUID();
      const payment = await shop.createPayment(application, { reference });
      if (hasOtherQuote) await shop.instructions(payment, 'usdc');
      const instructions = await shop.instructions(payment);
      const other = await shop.createPayment(application);
      const others = await shop.instructions(other);
      if (paid === 'before') {
        await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
        await shop.mine();
      }
      if (paid === 'mined') {
        await shop.send(instructions);
        await shop.mine();
      }
      const [saved, before] = [await save(payment), await reported()];
      const [announced, [status]] = [await events(payment), await listed(reference)];
      const sent = thiefServer.requests.length;
      const errors = jest.spyOn(Logger.prototype, 'error');
      await forge(
        role,
        statements.map((text): Statement => [
          text,
          text.includes('$2') ? [payment.id, thiefServer.url] : [payment.id],
        ]),
      );
      // After the forgery, which may have cut the history: what counts is that none comes to it.
      const moves = await genuineMoves(payment);

      if (paid === 'after') await shop.send(instructions);
      await shop.send(others);
      await shop.mine(15);
      // What is doubted is the payment: its chain goes on.
      expect((await shop.payment(other)).status).toBe('CONFIRMED');
      const token = application.clientToken;
      const path = `/api/payment/${payment.id}`;
      const refused = { status: 409, body: { code: 'payment_integrity' } };
      for (const [method, route] of [
        ['GET', path],
        ['POST', `${path}/cancel`],
        ['POST', `${path}/accept`],
        ['POST', `${path}/keep`],
        ['GET', `${path}/refunds`],
        ['POST', `${path}/refunds`],
      ] as const)
        expect({
          route,
          ...(await shop.call(method, route, token, method === 'GET' ? undefined : {})),
        }).toMatchObject({
          route,
          ...refused,
        });
      for (const route of [`payment/${payment.id}`, `payment/${payment.id}/provider/ethereum/method/eth`])
        expect(await shop.checkout(payment, route)).toMatchObject(refused);
      const { pathname, search } = new URL(payment.checkoutUrl);
      const page = await fetch(`${shop.gateway.baseUrl}${pathname}${search}`, {
        headers: { accept: 'text/html' },
      });
      const shown = await page.text();
      expect([page.status, /CONFIRMED|complete/i.test(shown)]).toEqual([409, false]);
      expect(shown).toContain('This payment is being checked');
      expect(await listed(reference)).toEqual([status]);
      await shop.settle();
      expect(await genuineMoves(payment)).toEqual(moves);
      expect(await events(payment)).toEqual(announced);
      expect(thiefServer.requests).toHaveLength(sent);
      expect(await reported()).toBeGreaterThan(before);
      const rows = errors.mock.calls
        .filter(([, message]) => message === 'a row was changed outside of the gateway')
        .map(([row]) => JSON.stringify(row));
      errors.mockRestore();
      // Of the dozen reads above.
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual([...new Set(rows)]);
      const [marked] = await shop.gateway.sql.query<{ reason: string }>(
        'select review_reason as reason from payments where id = $1',
        [payment.id],
      );
      expect(marked?.reason).toBe('integrity');
      expect(await needsSomebody(payment)).toEqual([{ kind: 'integrity', status, actions: ['payment'] }]);
      // It waits for its time, and takes the place of no other.
      const due = await shop.gateway.get(PaymentRepository).listDueForRecheck(shop.gateway.clock.now(), 50);
      expect(due).not.toContain(payment.id);

      await putBack(payment, saved);
      while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
      expect(await needsSomebody(payment)).not.toContainEqual(expect.objectContaining({ kind: 'integrity' }));
      await shop.mine();
      // Blocks of the test chain are a second apart.
      shop.gateway.clock.advanceSeconds(20);
      const { status: now, reviewReason } = await shop.payment(payment);
      expect([now, reviewReason]).toEqual([
        restored ?? (paid === undefined ? 'OPEN' : paid === 'before' ? 'UNDERPAID' : 'CONFIRMED'),
        null,
      ]);
    }, 120_000);
  },
);
