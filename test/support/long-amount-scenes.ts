import type { Page } from 'playwright-core';
import type { CheckoutStatusContract } from '../../src/checkout/checkout.contract.js';
import type { Scene } from './checkout-scenes.js';
import type { CheckoutStage } from './checkout-stage.js';
import { chooseMethod, pageUrl } from './chromium.js';
import { CUSTOMER } from './refunds-api.js';
import { RefundRequestsApi } from './refund-requests-api.js';
import type { CreatedPayment } from './shop.js';
import { BSC_CONFIRMATIONS } from './two-chains.js';

/** Priced in the coin itself, with all of its 18 decimals, and named at length. */
const create = (stage: CheckoutStage) =>
  stage.create({
    amount: 1_234_567_890_123_456_789n,
    currencyCode: 'ETH',
    reference: 'RE-2026-11-29-0000123456789',
    referenceLabel: 'Donaudampfschifffahrtsgesellschaftskapitänsmütze in Blau',
  });
const paid = (percent: bigint, blocks?: number) => async (stage: CheckoutStage) =>
  stage.pay(await create(stage), percent, blocks);
const page =
  (payment: (stage: CheckoutStage) => Promise<CreatedPayment>) =>
  async (stage: CheckoutStage): Promise<string> =>
    pageUrl(stage.shop, await payment(stage));

const claim = async (stage: CheckoutStage) => (await stage.refunds.create(await paid(100n)(stage))).claimUrl;

/** Leads from the page of a refund to its last question. */
export async function enterRefundAddress(tab: Page): Promise<void> {
  await tab.locator('#address').fill(CUSTOMER);
  // Enter sends it as well, where the script runs.
  await tab.locator('form:has(#address) button').click();
  await tab.locator('[name=confirm]').first().waitFor();
}

/** Money on the wrong network that the customer has asked back. */
export async function strayRefund(stage: CheckoutStage, payment: CreatedPayment): Promise<string> {
  const url = await chooseMethod(stage.shop, payment, { provider: 'ethereum', method: 'eth' });
  await stage.chains.sendBnb(payment, { blocks: BSC_CONFIRMATIONS });
  const { data } = (await stage.shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`)).body;
  const [funds] = data.returnable;
  const body = { type: 'UNEXPECTED', transferId: funds?.transferId };
  await new RefundRequestsApi(stage.shop).ask(payment, body);
  return url;
}

/** The longest amounts and names that a page can show, wherever it shows one, by the name of the screen. */
export const LONG_AMOUNTS: readonly Pick<Scene, 'name' | 'set' | 'act'>[] = [
  { name: 'coins', set: page(create) },
  // Names of networks beside the mark of the cheapest.
  { name: 'networks', set: page((stage) => stage.create()) },
  {
    name: 'pay',
    set: async (stage) =>
      chooseMethod(stage.shop, await create(stage), { provider: 'ethereum', method: 'eth' }),
  },
  { name: 'short', set: page(paid(33n, 1)) },
  { name: 'part', set: page(paid(33n)) },
  { name: 'paid', set: page(paid(100n)) },
  { name: 'overpaid', set: page(paid(177n)) },
  { name: 'stray-refund', set: async (stage) => strayRefund(stage, await create(stage)) },
  {
    name: 'receipt',
    set: async (stage) => (await stage.shop.payment(await paid(177n)(stage))).receiptUrl ?? '',
  },
  {
    name: 'stray',
    set: async (stage) => {
      const payment = await create(stage);
      const url = await chooseMethod(stage.shop, payment, { provider: 'ethereum', method: 'eth' });
      await stage.chains.sendBnb(payment);
      return url;
    },
  },
  { name: 'refund-address', set: claim },
  { name: 'refund-confirm', set: claim, act: enterRefundAddress },
];
