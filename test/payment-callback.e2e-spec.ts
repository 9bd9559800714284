import { DoctorRepository } from '../src/operations/doctor/doctor.repository.js';
import { checkWebhooks } from '../src/operations/doctor/webhooks-check.js';
import { type CreatedPayment, SECRET, Shop, type ShopApplication, CONFIRMATIONS } from './support/shop.js';
import { MerchantServer } from './support/merchant-server.js';
import { verifyWebhook } from './support/webhook-verifiers.js';

let shop: Shop;
/** The endpoint of single payments: another port of the host that the applications have their endpoint on. */
let own: MerchantServer;

beforeAll(async () => {
  [shop, own] = await Promise.all([Shop.open(), MerchantServer.start()]);
  own.trust(SECRET, shop.gateway.clock);
});
beforeEach(() => {
  own.always({ status: 200 });
  shop.merchant.always({ status: 200 });
});
afterAll(() => Promise.all([shop.close(), own.down()]));

const create = (application: ShopApplication, fields: Record<string, unknown> = {}) =>
  shop.createPayment(application, { callbackUrl: own.url, ...fields });
async function pay(payment: CreatedPayment): Promise<void> {
  await shop.send(await shop.instructions(payment));
  await shop.mine(CONFIRMATIONS);
}
/** What arrived at the payments' own endpoint about one of them. */
const heard = (payment: { id: string }) =>
  own
    .payloads()
    .filter((payload) => payload.payment.id === payment.id)
    .map(({ event }) => event);
const change = (application: ShopApplication, fields: object) =>
  shop.call('PUT', `/api/payment-applications/${application.id}`, shop.owner.accessToken, fields);
const ask = <T>(method: string, application: ShopApplication, path: string, body?: object) =>
  shop.call<T>(method, `/api/payment-applications/${application.id}/${path}`, shop.owner.accessToken, body);
interface Delivery {
  id: string;
  status: string;
  url: string | null;
  event: string;
}
const deliveries = async (application: ShopApplication, { id }: { id: string }) =>
  (await ask<Delivery[]>('GET', application, `webhook-deliveries?paymentId=${id}`)).body.data.toReversed();

describe('a callback URL of a payment', () => {
  it("gets the payment's events, signed with the application's secret, instead of the application's", async () => {
    const application = await shop.application();
    const [with_, without] = [await create(application), await shop.createPayment(application)];
    expect(await shop.payment(with_)).toMatchObject({ callbackUrl: own.url });
    expect(await shop.payment(without)).toMatchObject({ callbackUrl: null });
    await pay(with_);
    await pay(without);
    expect(heard(with_)).toEqual(['payment.received', 'payment.completed']);
    expect(shop.events(with_)).toEqual([]);
    expect(heard(without)).toEqual([]);
    expect(shop.events(without)).toEqual(['payment.received', 'payment.completed']);
    const { clock } = shop.gateway;
    for (const request of own.requests) verifyWebhook(request, SECRET, { clock });
    expect(await deliveries(application, with_)).toMatchObject([
      { event: 'payment.received', status: 'SUCCEEDED', url: own.url },
      { event: 'payment.completed', status: 'SUCCEEDED', url: own.url },
    ]);
  });

  it('delays CONFIRMED until its 2xx, also when the application has no URL', async () => {
    const application = await shop.application({ callbackUrl: null, url: 'http://127.0.0.1:3000' });
    const [with_, without] = [await create(application), await shop.createPayment(application)];
    own.always({ status: 500 });
    await pay(with_);
    await pay(without);
    expect(await shop.status(without)).toBe('CONFIRMED');
    expect(await shop.status(with_)).toBe('RECEIVED');
    const waiting = await ask<{ payment: { id: string } }[]>('GET', application, 'unacknowledged-payments');
    expect(waiting.body.data).toMatchObject([{ payment: { id: with_.id }, deliveryStatus: 'FAILED' }]);
    const findings = await checkWebhooks(shop.gateway.config, new DoctorRepository(shop.gateway.sql));
    expect(findings.map(({ found }) => found)).toContain(
      `${new URL(own.url).origin} of application ${application.id} can be reached`,
    );
    own.always({ status: 200 });
    await shop.wait(10);
    await shop.settle();
    expect(await shop.status(with_)).toBe('CONFIRMED');
    expect(heard(with_)).toEqual(['payment.received', 'payment.received', 'payment.completed']);
  });

  it('that returns 410 ends its event, without pausing the endpoint or another payment', async () => {
    const application = await shop.application();
    const [gone, other] = [await create(application), await shop.createPayment(application)];
    own.always({ status: 410 });
    await pay(gone);
    await pay(other);
    expect(await shop.status(gone)).toBe('RECEIVED');
    expect(await shop.status(other)).toBe('CONFIRMED');
    const endpoint = await ask<{ paused: boolean }>('GET', application, 'webhook-endpoint');
    expect(endpoint.body.data).toMatchObject({ pausedAt: null });
    const [received] = await deliveries(application, gone);
    expect(received).toMatchObject({ status: 'EXHAUSTED' });
    own.always({ status: 200 });
    await ask('POST', application, `webhook-deliveries/${received?.id}/redeliver`);
    await shop.settle();
    expect(await shop.status(gone)).toBe('CONFIRMED');
  });

  it.each([
    ['with an endpoint', {}],
    ['without one', { callbackUrl: null, url: 'http://127.0.0.1:3000' }],
  ])('gets no events while an application %s is paused, until it is resumed', async (_what, fields) => {
    const application = await shop.application(fields);
    const payment = await create(application);
    await ask('POST', application, 'webhook-endpoint/pause', {});
    await pay(payment);
    await shop.wait(60);
    await shop.settle();
    expect(heard(payment)).toEqual([]);
    expect(await shop.status(payment)).toBe('RECEIVED');
    await ask('POST', application, 'webhook-endpoint/resume');
    await shop.settle();
    expect(heard(payment)).toEqual(['payment.received', 'payment.completed']);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('when paused, does not delay payments without a URL', async () => {
    const application = await shop.application({ callbackUrl: null, url: 'http://127.0.0.1:3000' });
    await ask('POST', application, 'webhook-endpoint/pause', {});
    const payment = await shop.createPayment(application);
    await pay(payment);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  describe('on a host that the application has left', () => {
    /** The same endpoint under a name of another host. */
    const elsewhere = () => shop.merchant.url.replace('127.0.0.1', 'localhost');

    it("is no longer called, and the events go to the application's URL", async () => {
      const application = await shop.application();
      const payment = await create(application);
      own.always({ status: 500 });
      await pay(payment);
      expect(heard(payment)).toEqual(['payment.received']);
      expect((await change(application, { callbackUrl: elsewhere() })).status).toBe(200);
      own.always({ status: 200 });
      await shop.wait(10);
      await shop.settle();
      expect(heard(payment)).toEqual(['payment.received']);
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
      expect((await deliveries(application, payment)).map(({ url }) => url)).toEqual([
        elsewhere(),
        elsewhere(),
      ]);
    });

    it('does not delay the payment when the application has no other URL', async () => {
      const application = await shop.application();
      const payment = await create(application);
      own.always({ status: 500 });
      await pay(payment);
      await change(application, { callbackUrl: null });
      await shop.wait(10);
      await shop.settle();
      expect(await shop.status(payment)).toBe('CONFIRMED');
      expect(heard(payment)).toEqual(['payment.received']);
    });

    it('is called again once it is a host of the application again', async () => {
      const application = await shop.application();
      const payment = await create(application);
      await change(application, { callbackUrl: elsewhere(), url: 'http://127.0.0.1:3000' });
      await pay(payment);
      expect(heard(payment)).toEqual(['payment.received', 'payment.completed']);
    });
  });

  describe('is refused', () => {
    const post = (application: ShopApplication, callbackUrl: unknown) =>
      shop.call('POST', '/api/payment/checkout', application.clientToken, {
        amount: 10_000,
        currencyCode: 'USD',
        reference: 'ORDER-1',
        referenceLabel: 'Order #1',
        clientId: application.clientId,
        callbackUrl,
      });

    it.each([
      ['on another host', 'http://localhost:9000/hook', /on the host of .*: 127\.0\.0\.1\.$/],
      ['with user information', 'http://user:pw@127.0.0.1/hook', /must be a valid URL/],
      ['that is no URL', '/hook', /must be a valid URL/],
      ['of link-local addresses', 'http://169.254.169.254/hook', /webhooks may go to: .*link-local/],
      ['that is a number', 5, /must be a string/],
    ])('%s', async (_what, callbackUrl, message) => {
      const answer = await post(await shop.application(), callbackUrl);
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(answer.body.errors).toEqual({ callbackUrl: [expect.stringMatching(message)] });
    });

    it('for an application that has neither url nor callbackUrl', async () => {
      const answer = await post(await shop.application({ callbackUrl: null }), own.url);
      expect(answer.body.errors).toEqual({
        callbackUrl: [expect.stringContaining('needs an application with a url or a callbackUrl')],
      });
    });

    it("null means the application's URL", async () => {
      expect((await post(await shop.application(), null)).status).toBe(201);
    });
  });
});
