import { randomBytes } from 'node:crypto';
import { CHAIN_ENV, KeyedMerchant, type KeyedPost } from './support/keyed-api.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let shop: KeyedMerchant;

beforeAll(async () => {
  harness = await WebhookHarness.start(CHAIN_ENV);
});
beforeEach(async () => {
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());

const post = (request: Partial<KeyedPost> = {}) => shop.post(request);

describe('the header', () => {
  it.each(['', '""', 'x'.repeat(256), '"open', 'ümlaut'.replace('ü', '\u00fc')])(
    '%j is refused with a 400 that names the header',
    async (key) => {
      const answer = await post({ key });
      expect([answer.status, answer.code]).toEqual([400, 'bad_request']);
      expect(answer.text).toContain('Idempotency-Key');
      expect(await shop.countPayments()).toBe(0);
    },
  );

  it('is the same bare and quoted', async () => {
    const key = randomBytes(8).toString('hex');
    const first = await post({ key });
    expect((await post({ key: `"${key}"` })).text).toBe(first.text);
  });

  it('may be missing, and two requests then create two payments', async () => {
    const answers = [await post({ key: null }), await post({ key: null })];
    expect(answers.map(({ isReplayed }) => isReplayed)).toEqual([false, false]);
    expect(await shop.countPayments()).toBe(2);
  });

  it('is accepted on a request that needs none', async () => {
    const answer = await post({
      path: `/api/payment/${await harness.addPayment(shop.merchant)}/cancel`,
      body: {},
    });
    expect([answer.status, answer.isReplayed]).toEqual([200, false]);
  });
});
