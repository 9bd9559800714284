import type { CheckoutStage } from './checkout-stage.js';
import { chooseMethod, pageUrl } from './chromium.js';
import type { CreatedPayment } from './shop.js';

/** Priced in the coin itself, with all of its 18 decimals. */
const create = (stage: CheckoutStage) =>
  stage.create({ amount: 1_234_567_890_123_456_789n, currencyCode: 'ETH' });
const paid = (percent: bigint, blocks?: number) => async (stage: CheckoutStage) =>
  stage.pay(await create(stage), percent, blocks);
const page =
  (payment: (stage: CheckoutStage) => Promise<CreatedPayment>) =>
  async (stage: CheckoutStage): Promise<string> =>
    pageUrl(stage.shop, await payment(stage));

/** The longest amounts that a page can show, wherever it shows one, by the name of the screen. */
export const LONG_AMOUNTS: readonly (readonly [
  name: string,
  set: (stage: CheckoutStage) => Promise<string>,
])[] = [
  ['coins', page(create)],
  [
    'pay',
    async (stage) => chooseMethod(stage.shop, await create(stage), { provider: 'ethereum', method: 'eth' }),
  ],
  ['short', page(paid(33n, 1))],
  ['part', page(paid(33n))],
  ['overpaid', page(paid(177n))],
  ['receipt', async (stage) => (await stage.shop.payment(await paid(177n)(stage))).receiptUrl ?? ''],
  ['claim', async (stage) => (await stage.refunds.create(await paid(100n)(stage))).claimUrl],
];
