import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import { ATTENTION_KINDS, type AttentionKind } from '../src/overview/attention.pure.js';
import { createOwner, fetchAccessToken } from './support/principals.js';
import { plansOf } from './support/query-plans.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { TwoChains } from './support/two-chains.js';

interface Listed {
  status: number;
  items: AttentionItemContract[];
  cursor: { next: string; hasMore: boolean };
  errors: Record<string, string[]> | undefined;
}

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;
/** One payment for each kind that a payment or refund can have. */
const about = new Map<AttentionKind, string>();

async function list(query: Record<string, string> = {}, token = shop.owner.accessToken): Promise<Listed> {
  const path = `/api/attention?${new URLSearchParams(query).toString()}`;
  const { status, body } = await shop.call<AttentionItemContract[]>('GET', path, token);
  const { meta } = body as unknown as { meta?: { cursor: Listed['cursor'] } };
  return {
    status,
    items: status === 200 ? body.data : [],
    cursor: meta?.cursor ?? { next: '', hasMore: false },
    errors: body.errors,
  };
}
/** What the queue says about a payment. */
const kindsOf = async (paymentId: string | undefined) =>
  (await list({ limit: '100' })).items
    .filter(({ payment }) => payment?.id === paymentId)
    .map(({ kind }) => kind);

/** Each its own reference: what is paid twice is another test's. */
let orders = 0;
const create = (of: ShopApplication, fields: Record<string, unknown> = {}) =>
  shop.createPayment(of, { reference: `ORDER-${++orders}`, ...fields });
async function paid(thousandths: bigint, of = application): Promise<CreatedPayment> {
  const payment = await create(of);
  const instructions = await shop.instructions(payment);
  await shop.send(instructions, (BigInt(instructions.amount.amount) * thousandths) / 1_000n);
  return payment;
}
const refund = (payment: CreatedPayment) =>
  shop.call<{ id: string }>('POST', `/api/payment/${payment.id}/refunds`, application.clientToken, {
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
  });

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application({ allowOverpay: false });

  const late = await create(application, {
    expiresAt: new Date(shop.gateway.clock.now().getTime() + 600_000),
  });
  const instructions = await shop.instructions(late);
  await shop.wait(2 * 3_600);
  await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
  const [short, over, returned] = [await paid(500n), await paid(1_500n), await paid(1_000n)];
  await shop.mine(CONFIRMATIONS);
  await refund(returned);
  const wrong = await create(application);
  await chains.sendBnb(wrong);
  const closed = await create(application);
  const closedInstructions = await shop.instructions(closed);
  await shop.call('POST', `/api/payment/${closed.id}/cancel`, application.clientToken);
  await shop.send(closedInstructions);
  await shop.mine(CONFIRMATIONS);
  shop.merchant.plan({ status: 500 });
  const undelivered = await paid(1_000n);
  await shop.mine(CONFIRMATIONS);
  const payments = { late, short, over, returned, wrong, closed, undelivered };
  about.set('late_funds', payments.late.id);
  about.set('underpaid', payments.short.id);
  about.set('overpaid_held', payments.over.id);
  about.set('refund_waits', payments.returned.id);
  about.set('unmatched_funds', payments.wrong.id);
  about.set('funds_after_end', payments.closed.id);
  about.set('shop_not_told', payments.undelivered.id);
});
afterAll(() => chains.close());
beforeEach(signIn);
async function signIn(): Promise<void> {
  const { clientId, clientSecret } = shop.owner;
  shop.owner.accessToken = await fetchAccessToken(shop.gateway, clientId, clientSecret);
}

describe('GET /api/attention', () => {
  it('has an item for each reason, the worst first, and names requests that settle it', async () => {
    const { items, cursor } = await list({ limit: '100' });
    expect(cursor.hasMore).toBe(false);
    const ranks = items.map(({ kind }) => ATTENTION_KINDS.indexOf(kind));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    for (const [kind, id] of about)
      expect([kind, items.find((item) => item.kind === kind && item.payment?.id === id)]).toMatchObject([
        kind,
        { paymentApplicationId: application.id },
      ]);
    const overview = await shop.call<{ id: string; attention: AttentionKind[] }[]>(
      'GET',
      '/api/payment-overview?limit=100',
      shop.owner.accessToken,
    );
    for (const { id, attention } of overview.body.data)
      expect([id, await kindsOf(id)]).toEqual([id, attention]);
    for (const [kind, name] of [
      ['overpaid_held', 'accept'],
      ['shop_not_told', 'redeliver'],
      ['refund_waits', 'cancel_refund'],
    ] as const) {
      const { items } = await list({ kind });
      const item = items.find(({ payment }) => payment?.id === about.get(kind));
      const action = item?.actions.find((each) => each.name === name);
      if (!action) throw new Error(`no ${name} for ${kind}: ${JSON.stringify(items)}`);
      const { status } = await shop.call(action.method, action.path, shop.owner.accessToken);
      expect([kind, status < 300]).toEqual([kind, true]);
      await shop.settle();
      expect(await kindsOf(about.get(kind))).toEqual([]);
    }
  });

  it('lists a paused endpoint until it is resumed', async () => {
    const path = `/api/payment-applications/${application.id}/webhook-endpoint/pause`;
    await shop.call('POST', path, shop.owner.accessToken);
    const { items } = await list({ kind: 'endpoint_paused' });
    expect(items).toMatchObject([{ payment: null, paymentApplicationId: application.id }]);
    const resume = items[0]?.actions[0];
    await shop.call(resume?.method ?? '', resume?.path ?? '', shop.owner.accessToken);
    expect((await list({ kind: 'endpoint_paused' })).items).toEqual([]);
  });

  it('lists a network whose payments go unseen, to everybody', async () => {
    const { sql, clock } = shop.gateway;
    await sql.query(
      `update chain_cursors set halted_at = $1, halt_reason = 'deep fork' where chain = 'bsc'`,
      [clock.now()],
    );
    const stranger = await createOwner(shop.gateway);
    const { items } = await list({ limit: '100' }, stranger.accessToken);
    expect(items).toMatchObject([
      {
        kind: 'chain_halted',
        blockchain: 'bsc',
        payment: null,
        actions: [{ method: 'GET', path: '/api/blockchains/bsc' }],
      },
    ]);
    expect((await list({ paymentApplicationId: application.id, kind: 'chain_halted' })).items).toEqual([]);
    await sql.query('update chain_cursors set halted_at = null, halt_reason = null');
    expect((await list({}, stranger.accessToken)).items).toEqual([]);
  });

  it('is continued by its cursor, across kinds', async () => {
    const whole = (await list({ limit: '100' })).items;
    expect(whole.length).toBeGreaterThan(3);
    const pieces: AttentionItemContract[] = [];
    let page = await list({ limit: '1' });
    for (;;) {
      pieces.push(...page.items);
      if (!page.cursor.hasMore) break;
      page = await list({ limit: '1', after: page.cursor.next });
    }
    expect(pieces).toEqual(whole);
    expect(await list({ after: page.cursor.next })).toMatchObject({
      items: [],
      cursor: { next: page.cursor.next },
    });
  });

  it('takes three statements about payments, however many items it has', async () => {
    const ofUsers = /payments|sites|payment_applications/;
    const plans = await plansOf(shop.gateway, async () => {
      expect((await list({ limit: '100' })).status).toBe(200);
    });
    expect(plans.filter(({ text }) => /from payments p/.test(text) && ofUsers.test(text))).toHaveLength(3);
  });

  it.each<[Record<string, string>, string]>([
    [{ after: 'ZTQy' }, 'after'],
    [{ limit: '0' }, 'limit'],
    [{ kind: 'underpayed' }, 'kind'],
    [{ kind: '' }, 'kind'],
    [{ paymentApplicationId: 'x' }, 'paymentApplicationId'],
    [{ status: 'OPEN' }, 'status'],
  ])('refuses %p on %s', async (query, field) => {
    const { status, errors } = await list(query);
    expect([status, Object.keys(errors ?? {})]).toEqual([422, [field]]);
  });
});

describe('GET /api/attention/counts', () => {
  it('has every kind, the worst first, with as many as the list', async () => {
    const { items } = await list({ limit: '100' });
    const counts = await shop.call<{ kind: AttentionKind; count: number }[]>(
      'GET',
      '/api/attention/counts',
      shop.owner.accessToken,
    );
    expect(counts.body.data).toEqual(
      ATTENTION_KINDS.map((kind) => ({ kind, count: items.filter((item) => item.kind === kind).length })),
    );
  });

  it('counts nothing for another application or another user', async () => {
    const other = await shop.application();
    const stranger = await createOwner(shop.gateway);
    for (const [query, token] of [
      [`?paymentApplicationId=${other.id}`, shop.owner.accessToken],
      [`?paymentApplicationId=${application.id}`, stranger.accessToken],
    ] as const) {
      const counts = await shop.call<{ count: number }[]>('GET', `/api/attention/counts${query}`, token);
      expect(counts.body.data.map(({ count }) => count)).toEqual(ATTENTION_KINDS.map(() => 0));
    }
  });
});
