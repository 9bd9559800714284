import { verifyWebhook } from './support/merchant-server.js';
import { type Merchant, WebhookWorld } from './support/webhook-world.js';

let world: WebhookWorld;
let merchant: Merchant;

beforeAll(async () => {
  world = await WebhookWorld.start();
});
beforeEach(async () => {
  merchant = await world.addMerchant();
});
afterAll(() => world.stop());

describe('a paid payment', () => {
  it('is told to the merchant with two valid signatures, and the 2xx confirms it', async () => {
    const paymentId = await world.addPayment(merchant);
    await world.pay(merchant, paymentId);
    expect(await world.status(paymentId)).toBe('RECEIVED');

    await world.drain();

    const payloads = merchant.server.requests.map((request) => verifyWebhook(request, merchant.secret));
    expect(payloads.map(({ event, payment }) => [event, payment.id, payment.status])).toEqual([
      ['payment.received', paymentId, 'RECEIVED'],
      ['payment.completed', paymentId, 'CONFIRMED'],
    ]);
    expect(await world.status(paymentId)).toBe('CONFIRMED');
  });
});
