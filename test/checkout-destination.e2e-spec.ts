import { chooseMethod, pageUrl } from './support/chromium.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

const STRAIGHT = 'You pay straight into the shop’s own wallet.';
const NEVER = 'This page never asks for a password';

/** What the foot of the page promises about where the money goes. */
describe('the promise of a checkout page', () => {
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    // The gateway has a key of its operator.
    shop = await Shop.open();
  });
  beforeEach(async () => {
    application = await shop.application();
  });
  afterAll(() => shop?.close());

  const textOf = async (payment: CreatedPayment) => (await fetch(pageUrl(shop, payment))).text();
  const setKey = async () => {
    const path = `/api/payment-applications/${application.id}/wallets/evm`;
    const body = { extendedPublicKey: newAccount().publicExtendedKey };
    const { status } = await shop.call('PUT', path, shop.owner.accessToken, body);
    expect(status).toBe(200);
  };

  it('says nothing of the shop’s wallet where a key of the operator is paid', async () => {
    const payment = await shop.createPayment(application);
    const text = await textOf(payment);
    expect(text).toContain(NEVER);
    expect(text).not.toContain(STRAIGHT);
  });

  it('names the shop’s wallet where the shop has set its own key', async () => {
    await setKey();
    const payment = await shop.createPayment(application);
    expect(await textOf(payment)).toContain(`${STRAIGHT} ${NEVER}`);
    await chooseMethod(shop, payment, { provider: 'ethereum', method: 'eth' });
    expect(await textOf(payment)).toContain(STRAIGHT);
  });

  it('does not name it for an address that was shown before the shop had a key', async () => {
    const payment = await shop.createPayment(application);
    await chooseMethod(shop, payment, { provider: 'ethereum', method: 'eth' });
    await setKey();
    expect(await textOf(payment)).not.toContain(STRAIGHT);
    expect(await textOf(await shop.createPayment(application))).toContain(STRAIGHT);
  });

  it('is not made where nothing is known of the payment', async () => {
    const text = await (
      await fetch(`${shop.gateway.baseUrl}/checkout/0197e4a2-7c1f-7d3e-9a55-2b8f0c6d1e43`)
    ).text();
    expect(text).toContain(NEVER);
    expect(text).not.toContain(STRAIGHT);
  });
});
