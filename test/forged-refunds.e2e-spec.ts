import { PaymentSweep } from '../src/payments/payment-sweep.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { DatabaseThief } from './support/database-thief.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import type { CreatedPayment } from './support/merchant-api.js';
import { Shop } from './support/shop.js';

/** A writer of the database without APP_KEYS: `app` has the gateway's own role, `owner` switches triggers off. */
type Role = 'app' | 'owner';

const THIEF = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const INTEGRITY = { status: 409, body: { code: 'payment_integrity' } };

let shop: Shop;
let api: RefundsApi;

beforeAll(async () => {
  shop = await Shop.open();
  api = new RefundsApi(shop, await shop.application());
});
afterAll(() => shop.close());

/** $1 is the refund. */
async function forge(role: Role, statements: readonly string[], { id }: RefundDto): Promise<void> {
  if (role === 'owner') {
    await new DatabaseThief(shop.gateway.sql).tamper(statements.map((text) => [text, [id]]));
    return;
  }
  await shop.gateway.get(Sql).transaction(async (tx) => {
    for (const text of statements) await tx.query(text, [id]);
  });
}

const TABLES = [
  ['refund_history', 'refund_id in (select id from refunds where payment_id = $1)'],
  ['refunds', 'payment_id = $1'],
  ['payments', 'id = $1'],
] as const;

async function save({ id }: CreatedPayment): Promise<Map<string, string[]>> {
  const saved = new Map<string, string[]>();
  for (const [table, where] of TABLES) {
    const rows = await shop.gateway.sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t where ${where}`,
      [id],
    );
    saved.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  return saved;
}

async function putBack({ id }: CreatedPayment, saved: Map<string, string[]>): Promise<void> {
  const thief = new DatabaseThief(shop.gateway.sql);
  const ids = (saved.get('refunds') ?? []).map((row) => (JSON.parse(row) as { id: string }).id);
  await thief.tamper([
    ['delete from refund_history where refund_id = any($1::uuid[])', [ids]],
    ['delete from refunds where id = any($1::uuid[])', [ids]],
    ...TABLES.map(([table, where]): [string, unknown[]] => [`delete from ${table} where ${where}`, [id]]),
    ...TABLES.map(([table]): [string, unknown[]] => [
      `insert into ${table} select (jsonb_populate_record(null::${table}, s::jsonb)).* from unnest($1::text[]) s`,
      [saved.get(table) ?? []],
    ]),
  ]);
  await shop.gateway.sql.query(
    `update payments set recheck_at = now() - interval '100 years' where id = $1`,
    [id],
  );
}

const HISTORY = (to: string, from = to) => `
  insert into refund_history (refund_id, user_id, seq, from_status, to_status, reason, address, tx_hash, created_at)
  select id, user_id, status_seq, '${from}', '${to}', 'x', address, tx_hash, created_at from refunds where id = $1`;
const ADDRESS = `address = '${THIEF}', address_key = decode('${THIEF.slice(2)}', 'hex')`;
const PROCESSING = `update refunds set status = 'PROCESSING', status_seq = status_seq + 1, tx_hash = '0x' || md5(id::text) || md5(id::text),
  tx_recorded_at = created_at, next_check_at = created_at where id = $1`;
const COPY = (changes: string) => `
  insert into refunds select r.* from refunds t, jsonb_populate_record(t, jsonb_build_object(${changes})) r where t.id = $1`;
const COPY_HISTORY = `
  insert into refund_history select r.* from refund_history t,
    jsonb_populate_record(t, jsonb_build_object('refund_id',
      (select id from refunds where payment_id = (select payment_id from refunds where id = $1) and id <> $1))) r
  where t.refund_id = $1`;

interface Forgery {
  name: string;
  role: Role;
  /** As it is forged; `open` has no address. */
  of: 'open' | 'addressed' | 'paid';
  statements: string[];
  /** The refund itself stays as it is. */
  isBeside?: true;
}

const FORGERIES: Forgery[] = [
  {
    name: 'another address, with its history',
    role: 'app',
    of: 'addressed',
    statements: [
      `update refunds set ${ADDRESS}, status_seq = status_seq + 1 where id = $1`,
      HISTORY('AWAITING_PAYMENT'),
    ],
  },
  {
    name: 'an address where none was named',
    role: 'app',
    of: 'open',
    statements: [
      `update refunds set ${ADDRESS}, address_set_by = 'customer', status = 'AWAITING_PAYMENT', status_seq = 2 where id = $1`,
      HISTORY('AWAITING_PAYMENT', 'AWAITING_ADDRESS'),
    ],
  },
  {
    name: 'a payout that is completed',
    role: 'app',
    of: 'addressed',
    statements: [
      PROCESSING,
      HISTORY('PROCESSING', 'AWAITING_PAYMENT'),
      `update refunds set status = 'COMPLETED', status_seq = status_seq + 1, next_check_at = null, completed_at = created_at
       where id = $1`,
      HISTORY('COMPLETED', 'PROCESSING'),
      `update payments p set refunded_amount = r.amount from refunds r where r.id = $1 and p.id = r.payment_id`,
    ],
  },
  {
    name: 'a transaction to verify',
    role: 'app',
    of: 'addressed',
    statements: [PROCESSING, HISTORY('PROCESSING', 'AWAITING_PAYMENT')],
  },
  {
    name: 'a refund that nobody promised',
    role: 'app',
    of: 'addressed',
    isBeside: true,
    statements: [COPY(`'id', gen_random_uuid(), 'amount', 1`), COPY_HISTORY],
  },
  {
    name: 'how deep a payout is',
    role: 'app',
    of: 'paid',
    statements: ['update refunds set confirmations = confirmations + 100 where id = $1'],
  },
  {
    name: 'when a payout was last seen',
    role: 'app',
    of: 'paid',
    statements: [`update refunds set tx_seen_at = created_at - interval '2 days' where id = $1`],
  },
  ...Object.entries({
    'an address alone': `update refunds set ${ADDRESS} where id = $1`,
    'its amount': 'update refunds set amount = amount - 1 where id = $1',
    'what is paid out': 'update refunds set payout_amount = payout_amount * 2 where id = $1',
    'its type': `update refunds set type = case type when 'FULL' then 'PARTIAL' else 'FULL' end where id = $1`,
    'its rate': `update refunds set rate = rate || '1' where id = $1`,
    'its note': `update refunds set note = 'pay it at once' where id = $1`,
    'a status alone': `update refunds set status = 'CANCELLED' where id = $1`,
    'a row without a MAC': 'update refunds set mac = null where id = $1',
    'a history that is cut': 'delete from refund_history where refund_id = $1',
    'what the history says': `update refund_history set address = '${THIEF}' where refund_id = $1`,
    'an entry of the history without a MAC': 'update refund_history set mac = null where refund_id = $1',
  }).map(([name, statement]): Forgery => ({
    name,
    role: 'owner',
    of: 'addressed',
    statements: [statement],
  })),
];

const reported = async () => {
  const { values } = await shop.gateway.get(Meters).unauthentic.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};
const announced = ({ id }: CreatedPayment) =>
  shop.gateway.sql.query('select type from payment_events where payment_id = $1 order by seq', [id]);
const listed = async () => {
  const { body } = await shop.call<{ id: string; paymentId: string }[]>(
    'GET',
    '/api/refunds?limit=100',
    shop.owner.accessToken,
  );
  return body.data;
};

async function newRefund(payment: CreatedPayment, of: Forgery['of']): Promise<RefundDto> {
  const refund = await api.create(payment, { amount: 2_500, ...(of !== 'open' && { address: CUSTOMER }) });
  if (of !== 'paid') return refund;
  const hash = await api.payOut(refund);
  expect((await api.complete(refund, hash)).status).toBe(200);
  await shop.mine();
  await api.verify();
  return api.read(refund);
}

describe.each(FORGERIES)('a refund forged by a writer of the database ($role): $name', (forgery) => {
  it('is not shown, claimed, paid, counted or announced, until its rows are put back', async () => {
    const [payment, other] = [await api.paid(), await api.paid()];
    const refund = await newRefund(payment, forgery.of);
    const [saved, before, events] = [await save(payment), await reported(), await announced(payment)];
    await forge(forgery.role, forgery.statements, refund);

    const path = `/api/payment/${payment.id}`;
    const claim = `/api/checkout/refund/${refund.id}${new URL(refund.claimUrl).search}`;
    for (const [method, route, token, body] of [
      ['GET', path, api.application.clientToken, undefined],
      ['GET', `${path}/refunds`, api.application.clientToken, undefined],
      ['GET', `${path}/refunds/${refund.id}`, api.application.clientToken, undefined],
      ['POST', `${path}/refunds`, api.application.clientToken, { amount: 1 }],
      ['POST', `${path}/refunds/${refund.id}/address`, api.application.clientToken, { address: CUSTOMER }],
      [
        'POST',
        `${path}/refunds/${refund.id}/complete`,
        api.application.clientToken,
        { txHash: `0x${'12'.repeat(32)}` },
      ],
      ['POST', `${path}/refunds/${refund.id}/cancel`, api.application.clientToken, {}],
      ['GET', claim, null, undefined],
      ['POST', claim, null, { address: THIEF }],
    ] as const)
      expect({ route, ...(await shop.call(method, route, token, body)) }).toMatchObject({
        route,
        ...INTEGRITY,
      });
    const { pathname, search } = new URL(refund.claimUrl);
    const page = await fetch(`${shop.gateway.baseUrl}${pathname}${search}`, {
      headers: { accept: 'text/html' },
    });
    expect([page.status, (await page.text()).includes(THIEF)]).toEqual([409, false]);
    const shown = (await listed()).filter(({ paymentId }) => paymentId === payment.id);
    expect(shown.map(({ id }) => id)).toEqual(forgery.isBeside ? [refund.id] : []);

    const history = await shop.gateway.sql.query('select * from refund_history where refund_id = $1', [
      refund.id,
    ]);
    await shop.mine(15);
    await api.verify();
    await api.verify();
    // What is doubted is the payment: refunds of others go on.
    expect((await api.settleRefund(await newRefund(other, 'addressed'))).status).toBe('COMPLETED');
    expect(
      await shop.gateway.sql.query('select * from refund_history where refund_id = $1', [refund.id]),
    ).toEqual(history);
    expect(await announced(payment)).toEqual(events);
    expect(await reported()).toBeGreaterThan(before);
    const [marked] = await shop.gateway.sql.query<{ reason: string }>(
      'select review_reason as reason from payments where id = $1',
      [payment.id],
    );
    expect(marked?.reason).toBe('integrity');

    await putBack(payment, saved);
    while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
    expect((await shop.payment(payment)).reviewReason).toBeNull();
    const now = await api.read(refund);
    expect(now).toMatchObject({ address: refund.address, amount: refund.amount });
    expect((await listed()).map(({ id }) => id)).toContain(refund.id);
    if (forgery.of === 'open') return;
    // The payout is verified as if nothing had happened.
    if (forgery.of === 'paid') await api.verify();
    else await api.settleRefund(now);
    expect((await api.read(refund)).status).toBe('COMPLETED');
  }, 120_000);
});

it('a refund that is moved to another payment stops that one', async () => {
  const [payment, other] = [await api.paid(), await api.paid()];
  const refund = await newRefund(payment, 'addressed');
  await forge('owner', [`update refunds set payment_id = '${other.id}' where id = $1`], refund);
  expect(await api.get(other, '')).toMatchObject(INTEGRITY);
});
