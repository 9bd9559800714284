/**
 * @inOrder Money goes astray first, and is listed page by page then.
 */
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AccountApi } from './support/account-api.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

interface Funds {
  id: string;
  paymentId: string;
  paymentApplicationId: string;
  applicationName: string;
  userId: string;
  blockchain: string;
  txHash: string;
  amount: { atomic: string; currency: { code: string } };
  confirmed: boolean;
}

let shop: Shop;
let application: ShopApplication;
let operator: AccountApi;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application({ name: 'Harbor Coffee' });
  operator = await AccountApi.open(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.user.id, true);
});
afterAll(() => shop.close());

const call = <T = unknown>(method: string, path: string, body?: unknown, token = operator.accessToken) =>
  shop.call<T>(method, `/api/admin${path}`, token, body);
const acts = (act: string) =>
  shop.gateway.sql.query<{ actor_id: string; target_id: string }>(
    'select actor_id, target_id from audit_log where act = $1 order by seq',
    [act],
  );

describe('GET /api/admin/unattributed-funds', () => {
  it('lists what no payment was credited with, with its owner, and nothing that was credited', async () => {
    expect((await call<Funds[]>('GET', '/unattributed-funds')).body.data).toEqual([]);
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    const to = instructions.address as `0x${string}`;
    for (const value of [5_000_000n, 6_000_000n])
      await shop.chain.sendToken({ token: shop.tokens.USDT, to, value });
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    const { data } = (await call<Funds[]>('GET', '/unattributed-funds')).body;
    expect(data.map(({ amount }) => amount.atomic).sort()).toEqual(['5000000', '6000000']);
    expect(data[0]).toMatchObject({
      paymentId: payment.id,
      paymentApplicationId: application.id,
      applicationName: 'Harbor Coffee',
      userId: shop.owner.userId,
      blockchain: 'ethereum',
      confirmed: true,
      amount: { currency: { code: 'USDT' } },
    });
  });

  it('continues from the cursor, and is restricted to a network', async () => {
    const first = await call<Funds[]>('GET', '/unattributed-funds?limit=1&blockchain=ethereum');
    const { cursor } = (first.body as unknown as { meta: { cursor: { next: string; hasMore: boolean } } })
      .meta;
    expect([first.body.data.length, cursor.hasMore]).toEqual([1, true]);
    const rest = await call<Funds[]>('GET', `/unattributed-funds?after=${cursor.next}`);
    expect(rest.body.data).toHaveLength(1);
    expect(rest.body.data[0]?.id).not.toBe(first.body.data[0]?.id);
    expect((await call<Funds[]>('GET', '/unattributed-funds?blockchain=bitcoin')).body.data).toEqual([]);
  });

  it('is refused to a merchant, also to the one whose funds they are', async () => {
    const answer = await call('GET', '/unattributed-funds', undefined, shop.owner.accessToken);
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ code: 'operator_required' }),
    ]);
  });
});

describe('POST /api/admin/chains/{slug}/resume', () => {
  it('ends a halt, once, with the operator in the audit log', async () => {
    await shop.gateway.sql.query(
      `update chain_cursors set halted_at = now(), halt_reason = 'deep fork' where chain = 'ethereum'`,
    );
    const resumed = { blockchain: 'ethereum', haltReason: 'deep fork' };
    expect((await call('POST', '/chains/ethereum/resume')).body.data).toEqual(resumed);
    expect((await call('POST', '/chains/ethereum/resume')).body.data).toEqual({
      ...resumed,
      haltReason: null,
    });
    expect(await acts('chain.resumed')).toEqual([{ actor_id: operator.user.id, target_id: 'ethereum' }]);
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is 404 for a chain that is not configured', async () => {
    expect((await call('POST', '/chains/moon/resume')).body).toMatchObject({ code: 'not_found' });
  });
});

describe('POST /api/admin/payment-applications/{id}/webhook-deliveries/replay', () => {
  const path = (id: string) => `/payment-applications/${id}/webhook-deliveries/replay`;

  it('makes due what failed for an application of somebody else, with the operator in its audit log', async () => {
    shop.merchant.always({ status: 500 });
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    shop.merchant.always({ status: 200 });
    const made = await call('POST', path(application.id), { since: '2020-01-01T00:00:00Z' });
    expect([made.status, made.body.data]).toEqual([
      202,
      expect.objectContaining({ count: 1, hasMore: false }),
    ]);
    expect(await acts('deliveries.replayed')).toEqual([
      { actor_id: operator.user.id, target_id: application.id },
    ]);
    await shop.deliver();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it.each([
    [
      'an unknown application',
      '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11',
      {},
      404,
      'payment_application_not_found',
    ],
    ['what is no id', 'none', { since: '2020-01-01T00:00:00Z' }, 404, 'payment_application_not_found'],
  ])('refuses %s', async (_what, id, body, status, code) => {
    const answer = await call('POST', path(id), body);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('names a field that is missing', async () => {
    expect((await call('POST', path(application.id), {})).body).toMatchObject({
      code: 'validation_failed',
      errors: { since: expect.anything() },
    });
  });
});
