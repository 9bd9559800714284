import pg from 'pg';
import { ChainHealthService } from '../src/chains/chain-health.service.js';
import { sendRequest } from './support/api-request.js';
import { sealPlanted } from './support/seal-planted.js';
import { seededRandom, seedOf } from './support/seeded-random.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import type { TestGateway } from './support/test-gateway.js';

const SEED = seedOf('STATUS_TAG_SEED');
const STEPS = 16;
const STALL_SECONDS = 3_600;

/** A 304 comes from what a process remembers of the status, a 200 from the status itself. */
describe('the ETag of the public status', () => {
  let shop: Shop;
  let other: TestGateway;
  let application: ShopApplication;
  let payment: CreatedPayment;
  let sent = 0;
  const original = Reflect.get(pg.Client.prototype, 'query') as (...words: unknown[]) => unknown;

  beforeAll(async () => {
    shop = await Shop.open();
    other = await shop.gateway.another();
    Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...words: unknown[]) {
      sent++;
      return original.apply(this, words);
    });
  });
  afterAll(async () => {
    Reflect.set(pg.Client.prototype, 'query', original);
    await other.close();
    await shop.close();
  });
  beforeEach(async () => {
    // Its node responds again.
    await shop.mine();
    application = await shop.application();
    payment = await shop.createPayment(application, { redirectUrl: 'https://shop.example/thanks' });
  });

  const poll = async (at: TestGateway, tag?: string) => {
    const query = new URL(payment.checkoutUrl).search;
    const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
    const path = `/api/checkout/payment/${payment.id}${query}`;
    const response = await sendRequest(`${at.baseUrl}${path}`, { headers });
    return { status: response.status, tag: response.headers.get('etag') ?? '', text: response.text };
  };

  it('is answered 304 by one statement, after which nothing is read of the payment', async () => {
    const { tag } = await poll(shop.gateway);
    expect((await poll(shop.gateway, tag)).status).toBe(304);
    sent = 0;
    expect(await poll(shop.gateway, tag)).toEqual({ status: 304, tag, text: '' });
    // The mark, and the settings of the application, which other tests of this setup do not let it remember.
    expect(sent).toBe(2);
  });

  it('agrees with the status after every change, in two processes', async () => {
    const random = seededRandom(SEED);
    const put = (settings: object) =>
      shop.call('PUT', `/api/payment-applications/${application.id}`, shop.owner.accessToken, settings);
    const changes: [string, () => Promise<unknown>][] = [
      ['nothing', async () => undefined],
      ['a method is chosen', () => shop.instructions(payment, 'eth')],
      ['another method is chosen', () => shop.instructions(payment, 'usdt')],
      ['a part is sent', async () => shop.send(await shop.instructions(payment, 'eth'), 10n ** 15n)],
      ['the rest is sent', async () => shop.send(await shop.instructions(payment, 'eth'))],
      ['a block is mined', () => shop.mine()],
      ['it is confirmed', () => shop.mine(CONFIRMATIONS)],
      ['the title changes', () => put({ name: `Shop ${random(1_000)}` })],
      ['underpaying is allowed', () => put({ allowUnderpay: random(2) === 0 })],
      ['a confirmation more is required', () => put({ confirmations: { ethereum: 12 + random(20) } })],
      ['a transaction is reported', () => report(`0x${random(1_000_000).toString(16).padStart(64, '0')}`)],
      [
        'its node fails',
        async () => {
          await shop.gateway.get(ChainHealthService).sawTrouble('ethereum', `trouble ${random(1_000)}`, null);
          shop.gateway.clock.advanceSeconds(61);
        },
      ],
      ['time passes', async () => shop.gateway.clock.advanceSeconds(30)],
    ];
    const report = (txHash: string) => {
      const path = `/api/checkout/payment/${payment.id}/transaction${new URL(payment.checkoutUrl).search}`;
      return shop.call('POST', path, null, { txHash, provider: 'ethereum' });
    };
    const trace: string[] = [];
    let known = (await poll(shop.gateway)).tag;
    for (let step = 0; step < STEPS; step++) {
      const [what, change] = changes[random(changes.length)] ?? ['nothing', async () => undefined];
      trace.push(what);
      // A payment that is over refuses some of them, which is no matter here.
      await change().catch((error: unknown) => trace.push(String(error).slice(0, 60)));
      for (const gateway of [shop.gateway, other]) {
        const conditional = await poll(gateway, known);
        const whole = await poll(gateway);
        expect({ trace, isSame: conditional.status === 304, tag: conditional.tag }).toEqual({
          trace,
          isSame: whole.tag === known,
          tag: whole.tag,
        });
      }
      known = (await poll(shop.gateway)).tag;
      for (const gateway of [shop.gateway, other, shop.gateway, other])
        expect({ trace, ...(await poll(gateway, known)) }).toEqual({
          trace,
          status: 304,
          tag: known,
          text: '',
        });
    }
  }, 300_000);

  it('changes with each column that the status shows, whoever writes it', async () => {
    await shop.instructions(payment);
    await shop.send(await shop.instructions(payment), 10n ** 15n);
    await shop.mine();
    const { sql } = shop.gateway;
    const writes: [string, unknown[]][] = [
      [`update payments set redirect_url = 'https://else.example', mac = null where id = $1`, [payment.id]],
      [`update payment_transfers set tx_hash = tx_hash where payment_id = $1`, [payment.id]],
      [`update sites set title = 'Other' where application_id = $1`, [application.id]],
      [`update payment_applications set currency_whitelist = '{USDT}' where id = $1`, [application.id]],
    ];
    for (const [text, values] of writes) {
      const { tag } = await poll(shop.gateway);
      await poll(shop.gateway, tag);
      await sql.transaction(async (tx) => {
        await tx.query(`set local gateway.resealing = 'on'`);
        await tx.query(text, values);
      });
      await sealPlanted(shop.gateway);
      const conditional = await poll(shop.gateway, tag);
      const whole = await poll(shop.gateway);
      expect([text, conditional.status === 304]).toEqual([text, whole.tag === tag]);
    }
  });

  it('is another one while the chain is stalled, although no row has changed', async () => {
    await shop.instructions(payment);
    const { tag } = await poll(shop.gateway);
    expect((await poll(shop.gateway, tag)).status).toBe(304);
    shop.gateway.clock.advanceSeconds(STALL_SECONDS);
    const whole = await poll(shop.gateway);
    const conditional = await poll(shop.gateway, tag);
    expect([conditional.status === 304, conditional.tag]).toEqual([whole.tag === tag, whole.tag]);
  });
});
