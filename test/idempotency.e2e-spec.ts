import { randomBytes, randomUUID } from 'node:crypto';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { IDEMPOTENT } from '../src/platform/web/idempotency/idempotency.js';
import { IdempotencyService } from '../src/platform/web/idempotency/idempotency.service.js';
import { stringifyExact } from '../src/platform/kernel/exact-json.pure.js';
import { APPLICATIONS } from './support/applications-api.js';
import { createClientToken, tokensPath } from './support/client-tokens.js';
import { CHAIN_ENV, KeyedMerchant, type KeyedPost, newKey } from './support/keyed-api.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let gateway: TestGateway;
let shop: KeyedMerchant;

beforeAll(async () => {
  harness = await WebhookHarness.start(CHAIN_ENV);
  gateway = harness.gateway;
});
beforeEach(async () => {
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());

const post = (request: Partial<KeyedPost> = {}) => shop.post(request);

/** A paid payment, and a refund of it that waits for its address. */
async function prepareRefund(body: Record<string, unknown> = {}): Promise<{ path: string; refund: string }> {
  const id = await harness.addPayment(shop.merchant);
  await harness.pay(shop.merchant, id);
  const path = `/api/payment/${id}/refunds`;
  const created = await post({ path, key: null, body });
  if (created.status !== 201) throw new Error(created.text);
  return { path, refund: `${path}/${created.data.id}` };
}
const REFUND_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Every route that takes a key, with a request that it can do once. */
const ROUTES: [route: string, prepare: () => Promise<Partial<KeyedPost>>, status: number][] = [
  ['api/payment/checkout', async () => ({}), 201],
  [
    'api/payment/:paymentId/accept',
    async () => {
      const id = await harness.addPayment(shop.merchant);
      await harness.pay(shop.merchant, id);
      return { path: `/api/payment/${id}/accept`, body: undefined };
    },
    200,
  ],
  [
    'api/payment/:paymentId/refunds',
    async () => ({ path: (await prepareRefund({ amount: 1 })).path, body: { amount: 9_999 } }),
    201,
  ],
  [
    'api/payment/:paymentId/refunds/:refundId/address',
    async () => ({ path: `${(await prepareRefund()).refund}/address`, body: { address: REFUND_ADDRESS } }),
    200,
  ],
  [
    'api/payment/:paymentId/refunds/:refundId/complete',
    async () => ({
      path: `${(await prepareRefund({ address: REFUND_ADDRESS })).refund}/complete`,
      body: { txHash: `0x${randomBytes(32).toString('hex')}` },
    }),
    200,
  ],
  [
    'api/payment/:paymentId/refunds/:refundId/cancel',
    async () => ({ path: `${(await prepareRefund()).refund}/cancel`, body: undefined }),
    200,
  ],
  [
    'api/payment-applications/:id/payouts/complete',
    async () => ({
      path: `/api/payment-applications/${shop.merchant.applicationId}/payouts/complete`,
      token: shop.owner.accessToken,
      body: {
        transactions: {
          [(await prepareRefund({ address: REFUND_ADDRESS })).refund.split('/').at(-1) ?? '']:
            `0x${randomBytes(32).toString('hex')}`,
        },
      },
    }),
    200,
  ],
  [
    'api/payment-applications',
    async () => ({
      path: APPLICATIONS,
      token: shop.owner.accessToken,
      body: { name: 'Second shop', secret: 'whsec_c2VjcmV0LWNhbmFyeS0wMDAxLTAwMDE=' },
    }),
    201,
  ],
  [
    'api/payment-applications/:id/client-tokens',
    async () => ({
      path: tokensPath(shop.merchant.applicationId),
      token: shop.owner.accessToken,
      body: { label: 'Server', scopes: ['payments.get'] },
    }),
    201,
  ],
  [
    'api/payment-applications/:id/webhook-deliveries/:deliveryId/redeliver',
    async () => {
      const event = await harness.addPaymentEvent(shop.merchant);
      await harness.drain();
      const { id } = await harness.delivery(event);
      return {
        path: `${APPLICATIONS}/${shop.merchant.applicationId}/webhook-deliveries/${id}/redeliver`,
        token: shop.owner.accessToken,
        body: undefined,
      };
    },
    202,
  ],
  [
    'api/payment-applications/:id/webhook-deliveries/replay',
    async () => ({
      path: `${APPLICATIONS}/${shop.merchant.applicationId}/webhook-deliveries/replay`,
      token: shop.owner.accessToken,
      body: { since: '2020-01-01T00:00:00Z' },
    }),
    202,
  ],
  [
    'api/payment-applications/:id/webhook-test',
    async () => ({
      path: `${APPLICATIONS}/${shop.merchant.applicationId}/webhook-test`,
      token: shop.owner.accessToken,
      body: { event: 'payment.refund' },
    }),
    202,
  ],
];

describe('every POST', () => {
  /** Sending it again changes nothing (specification/idempotency.md#idempotency-key). */
  const IDEMPOTENT_BY_NATURE = [
    'api/payment/:paymentId/cancel',
    // Up to the amount that it names.
    'api/payment/:paymentId/keep',
    'api/payment-applications/:id/restore',
    // Says what there is to collect, and stores nothing.
    'api/payment-applications/:id/collections',
    'api/payment-applications/:id/payouts',
    'api/account/sessions/end-others',
    // Each is one more notice that says it is a test.
    'api/account/notices/test',
    'api/payment-applications/:id/webhook-endpoint/end-previous-secret',
    'api/payment-applications/:id/webhook-endpoint/pause',
    'api/payment-applications/:id/webhook-endpoint/resume',
    // A claim names an address once; the same one again is no change, another one is refused.
    'api/checkout/refund/:refundId',
    'refund/:refundId',
    // The same quote while its price holds.
    'checkout/:paymentId/choose',
    // A transaction is looked for once.
    'api/checkout/payment/:paymentId/transaction',
    'checkout/:paymentId/transaction',
    // The same refund while it stands.
    'checkout/:paymentId/refund-request',
    'api/checkout/payment/:paymentId/refund-request',
    'api/admin/users/:userId/disable',
    'api/admin/users/:userId/enable',
    // A chain that runs is left alone, and so is a delivery that waits for its turn.
    'api/admin/chains/:slug/resume',
    // Ask, and change nothing.
    'api/admin/health/checks',
    'api/admin/node-trials',
    'api/admin/reconciliation/schedule',
    'api/admin/payment-applications/:id/webhook-deliveries/replay',
  ];

  /**
   * A record keeps a plain SHA-256 of the body and, sealed, the answer; and a failure leaves nothing behind, not
   * even its count. So no route that takes a password or answers a secret takes a key. Sent again, each is
   * refused or gives something new.
   */
  const WITH_SECRETS = [
    'api/account/password',
    'api/account/two-factor',
    'api/account/two-factor/confirm',
    'api/account/two-factor/recovery-codes',
    'api/account/two-factor/disable',
    'api/account/invitations',
    'api/account/invitations/accept',
    'api/account/oauth-clients',
    'api/account/oauth-clients/:clientId/rotate-secret',
    'api/admin/users/:userId/password-link',
    'dashboard/session',
    'dashboard/session/refresh',
  ];

  function posts(): { path: string; takesKey: boolean }[] {
    const controllers = [...gateway.app.get(ModulesContainer).values()].flatMap((module) =>
      [...module.controllers.values()].map(({ metatype }) => metatype as new () => object),
    );
    return controllers.flatMap((controller) =>
      Object.values(Object.getOwnPropertyDescriptors(controller.prototype))
        .map(({ value }) => value as object)
        .filter((handler) => Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST)
        .map((handler) => ({
          path: [controller, handler]
            .map((part) => String(Reflect.getMetadata(PATH_METADATA, part)).replace(/^\/|\/$/g, ''))
            .filter(Boolean)
            .join('/'),
          takesKey: Reflect.getMetadata(IDEMPOTENT, handler) === true,
        })),
    );
  }

  it('accepts an Idempotency-Key, or is idempotent by nature', () => {
    const paths = posts();
    const sorted = (list: string[]) => list.sort();
    expect(sorted(paths.filter(({ takesKey }) => takesKey).map(({ path }) => path))).toEqual(
      sorted(ROUTES.map(([route]) => route)),
    );
    expect(sorted(paths.filter(({ takesKey }) => !takesKey).map(({ path }) => path))).toEqual(
      sorted([...IDEMPOTENT_BY_NATURE, ...WITH_SECRETS]),
    );
  });
});

/** The same fields in another order, with other white space, escapes and numbers, and with null for what is absent. */
function writtenOtherwise(fields: unknown): string[] {
  const entries = Object.entries(fields as Record<string, unknown>);
  const text = stringifyExact(fields);
  return [
    stringifyExact(Object.fromEntries(entries.toReversed())),
    JSON.stringify(fields, null, '\t'),
    stringifyExact({ none: null, ...Object.fromEntries(entries) }),
    text.replace(/"(\w)/g, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
    text.replace(/:(\d+)(?=[,}])/g, ':$1.0'),
  ];
}

describe.each(ROUTES)('%s', (_route, prepare, status) => {
  it('returns the first response byte for byte to a repeated request', async () => {
    const request = { key: newKey(), ...(await prepare()) };
    const first = await post(request);
    expect([first.status, first.isReplayed, first.code]).toEqual([status, false, undefined]);
    const second = await post(request);
    expect([second.status, second.isReplayed, second.text]).toEqual([status, true, first.text]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('returns the same response to 20 concurrent requests, and acts once', async () => {
    const request = { key: newKey(), ...(await prepare()) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(request)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await shop.countKeys(request.key)).toBe(1);
  });

  it('returns the first response to the same fields, however they are written', async () => {
    const request = { key: newKey(), ...(await prepare()) };
    const first = await post(request);
    for (const body of writtenOtherwise(request.body ?? (_route.endsWith('checkout') ? shop.checkout : {}))) {
      const again = await post({ ...request, body });
      expect([body, again.status, again.isReplayed, again.text]).toEqual([body, status, true, first.text]);
    }
  });

  it('refuses the same key with another body', async () => {
    const request = { key: newKey(), ...(await prepare()) };
    await post(request);
    const other = await post({ ...request, body: '{"another":"body"}' });
    expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('needs one connection, so that requests cannot deadlock on a full pool', async () => {
    const request = { key: newKey(), ...(await prepare()) };
    const { databasePoolSize } = gateway.config;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = Array.from({ length: databasePoolSize - 1 }, () =>
      gateway.sql.transaction(async (tx) => {
        await tx.query('select 1');
        await released;
      }),
    );
    try {
      expect((await post(request)).status).toBe(status);
    } finally {
      release();
      await Promise.all(held);
    }
  });
});

describe('the stored response', () => {
  it('does not include errors that clients can correct: 401, 403 and 422', async () => {
    const key = newKey();
    const weak = await createClientToken(gateway, shop.owner, shop.merchant.applicationId, {
      scopes: ['payments.get'],
    });
    expect((await post({ key, token: 'garbage' })).status).toBe(401);
    expect((await post({ key, token: weak.token })).status).toBe(403);
    expect((await post({ key, body: { ...shop.checkout, amount: 0 } })).status).toBe(422);
    expect((await post({ key, body: { ...shop.checkout, clientId: 'x'.repeat(32) } })).status).toBe(422);
    const made = await post({ key });
    expect([made.status, made.isReplayed]).toEqual([201, false]);
  });

  it.each([
    [409, 'an open payment', () => harness.addPayment(shop.merchant)],
    [404, 'an unknown payment', async () => randomUUID()],
  ])('includes a %i of %s, with its request id', async (status, _what, makeId) => {
    const request = { key: newKey(), path: `/api/payment/${await makeId()}/accept`, body: undefined };
    const [first, second] = [await post(request), await post(request)];
    expect([first.status, first.isReplayed]).toEqual([status, false]);
    expect([second.status, second.isReplayed, second.text]).toEqual([status, true, first.text]);
  });

  it('is encrypted: no client token is in the table', async () => {
    const request = {
      path: tokensPath(shop.merchant.applicationId),
      token: shop.owner.accessToken,
      body: { label: 'Server', scopes: ['*'] },
      key: newKey(),
    };
    const { data } = await post(request);
    const [row] = await gateway.sql.query<{ text: string }>(
      'select k::text as text from idempotency_keys k where key = $1',
      [request.key],
    );
    expect(data.token).toMatch(/^pct_/);
    expect(row?.text).toContain(request.key);
    expect(row?.text).not.toContain(String(data.token));
    expect(row?.text).not.toContain(Buffer.from(String(data.token)).toString('base64url').slice(4, -4));
    expect((await post(request)).data.token).toBe(data.token);
  });

  it('is not done again, and no error of the server, when somebody has changed the response', async () => {
    const key = newKey();
    expect((await post({ key })).status).toBe(201);
    await gateway.sql.query(`update idempotency_keys set sealed_body = 'v1.k9.AAAA.AAAA.AAAA'`);
    const again = await post({ key });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('cannot be read any more')]);
    expect(await shop.countPayments()).toBe(1);
  });

  it('is returned for 24 hours', async () => {
    const key = newKey();
    const first = await post({ key });
    gateway.clock.advanceSeconds(86_399);
    expect((await post({ key })).text).toBe(first.text);
    gateway.clock.advanceSeconds(1);
    const next = await post({ key, body: { ...shop.checkout, reference: 'ORDER-2' } });
    expect([next.status, next.isReplayed, await shop.countPayments()]).toEqual([201, false, 2]);
  });

  it('is purged after that', async () => {
    const key = newKey();
    await post({ key });
    const service = gateway.get(IdempotencyService);
    await service.purgeExpired();
    expect(await shop.countKeys(key)).toBe(1);
    gateway.clock.advanceSeconds(86_400);
    expect(await service.purgeExpired()).toBe(false);
    expect(await shop.countKeys(key)).toBe(0);
  });
});
