import { jest } from '@jest/globals';
import { logSink } from './support/leaks/watch-leaks.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

type Line = Record<string, unknown>;

/** specification/operations.md, how-to/growth.md#follow-a-payment */
describe('the log lines of a payment', () => {
  const lines: Line[] = [];
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    jest.spyOn(logSink, 'write').mockImplementation((line) => {
      lines.push(JSON.parse(line) as Line);
    });
    shop = await Shop.open({ LOG_LEVEL: 'info' });
    application = await shop.application();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await shop.close();
  });

  it('tell its story, from the request that creates it to the webhook that is answered', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    shop.merchant.plan({ status: 500 });
    await shop.mine(CONFIRMATIONS);
    shop.gateway.clock.advanceSeconds(10);
    await shop.settle();
    const story = lines.filter(({ paymentId }) => paymentId === payment.id);
    expect(story.map(({ msg }) => msg).filter((msg) => msg !== 'request')).toEqual([
      'payment created',
      'payment quoted',
      'payment moved',
      'payment moved',
      'webhook attempt failed',
      // Recording the success moves the payment.
      'payment moved',
      'webhook delivered',
      'webhook delivered',
    ]);
    const [created] = story;
    expect(created).toMatchObject({ applicationId: application.id, userId: expect.any(String) as string });
    // The line of the request that created it has the same request id and user.
    expect(lines.filter(({ requestId }) => requestId === created?.['requestId'])).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        route: '/api/payment/checkout',
        userId: created?.['userId'],
      }),
    );
    expect(story).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        route: '/api/checkout/payment/:paymentId/provider/:provider/method/:method',
      }),
    );
    expect(story).toContainEqual(
      expect.objectContaining({ msg: 'webhook attempt failed', attempt: 1, outcome: 'HTTP 500' }),
    );
  });
});
