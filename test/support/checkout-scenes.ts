import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { MessageKey, Texts } from '../../src/platform/kernel/i18n/texts.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import type { CheckoutStage } from './checkout-stage.js';
import { chooseMethod, pageUrl } from './chromium.js';
import { PASSWORD } from './oauth-api.js';
import { AFTER_THE_LINK } from './link-end-scenes.js';
import { enterRefundAddress, strayRefund } from './long-amount-scenes.js';
import { CUSTOMER } from './refunds-api.js';
import type { CreatedPayment } from './shop.js';

/** A screen that a customer, or somebody who signs in, can meet. */
export interface Scene {
  name: string;
  /** What the page calls it; null where pages have no such names. */
  screen: string | null;
  heading(texts: Texts): string;
  /** Further words that have to be on it. */
  words?(texts: Texts): string;
  /** @returns its address */
  set(stage: CheckoutStage): Promise<string>;
  /** What leads from the address to the screen. */
  act?(page: Page, stage: CheckoutStage): Promise<void>;
  /** The trouble that it shows has to be ended. */
  hasTrouble?: true;
}

const ETH = { provider: 'ethereum', method: 'eth' };
const USDT = { provider: 'ethereum', method: 'usdt' };

const says = (key: MessageKey) => (texts: Texts) => texts.text(key);
/** As the stage's chain is called in the choice, too. */
const paying = (coin: string) => (texts: Texts) => {
  const network = coin === 'ETH' ? 'Ethereum' : 'Ethereum (ERC-20)';
  return texts.text('pay.heading', { coin, network: texts.text('network.test', { network }) });
};
/** Half of the price. */
const missing = (texts: Texts) =>
  texts.text('short.heading', {
    amount: texts.money({ atomic: '15000000000000000', decimals: 18, currency: { code: 'ETH' } }),
  });
const page = ({ shop }: CheckoutStage, payment: CreatedPayment, query?: Record<string, string>) =>
  pageUrl(shop, payment, query);
const chosen = async (stage: CheckoutStage, choice: Record<string, string>) =>
  chooseMethod(stage.shop, await stage.create(), choice);

/** What the page does by its form. */
const post = ({ shop }: CheckoutStage, { id, checkoutUrl }: CreatedPayment, action: string, body: object) =>
  shop.call('POST', `/api/checkout/payment/${id}/${action}${new URL(checkoutUrl).search}`, null, body);
const askedBack = (type: string, percent: bigint) => async (stage: CheckoutStage) => {
  const payment = await stage.pay(await stage.create(), percent);
  await post(stage, payment, 'refund-request', { type });
  return page(stage, payment);
};

const CHOOSING: Scene[] = [
  {
    name: 'coins',
    screen: 'methods',
    heading: says('methods.heading'),
    set: async (stage) => page(stage, await stage.create()),
  },
  {
    name: 'networks',
    screen: 'networks-usdt',
    heading: (texts) => texts.text('networks.heading', { coin: 'USDT' }),
    words: says('networks.cheapest'),
    set: async (stage) => page(stage, await stage.create(), { method: 'usdt' }),
  },
  {
    name: 'confirm',
    screen: 'confirm',
    heading: (texts) =>
      texts.text('networks.confirm.heading', {
        coin: 'ETH',
        network: texts.text('network.test', { network: 'Ethereum' }),
      }),
    words: says('networks.confirm.button'),
    set: async (stage) => page(stage, await stage.create(), ETH),
  },
  {
    name: 'nothing-usable',
    screen: 'methods',
    heading: says('methods.heading'),
    words: says('methods.reason.no-network'),
    set: async (stage) => {
      const payment = await stage.create();
      await stage.loseChains('ethereum', 'bsc');
      return page(stage, payment);
    },
    hasTrouble: true,
  },
  {
    name: 'rates-down',
    screen: 'methods',
    heading: says('methods.heading'),
    words: says('methods.reason.no-rate'),
    set: async (stage) => {
      await stage.loseRates();
      return page(stage, await stage.create());
    },
    hasTrouble: true,
  },
];

const PAYING: Scene[] = [
  {
    name: 'pay-token',
    screen: 'pay',
    heading: paying('USDT'),
    words: says('pay.test-network'),
    set: (stage) => chosen(stage, USDT),
  },
  { name: 'pay-coin', screen: 'pay', heading: paying('ETH'), set: (stage) => chosen(stage, ETH) },
  {
    name: 'reported',
    screen: 'pay',
    heading: paying('ETH'),
    words: says('report.searching'),
    set: async (stage) => {
      const payment = await stage.create();
      const url = await chooseMethod(stage.shop, payment, ETH);
      await post(stage, payment, 'transaction', { txHash: `0x${'ab'.repeat(32)}` });
      return url;
    },
  },
  {
    name: 'reported-badly',
    screen: 'pay',
    heading: paying('ETH'),
    words: says('report.problem.malformed'),
    set: (stage) => chosen(stage, ETH),
    act: async (tab) => {
      await tab.locator('#fold-report summary').click();
      await tab.locator('#report-id').fill('order 17');
      await tab.locator('#report-id').press('Enter');
      await tab.locator('#report-problem').waitFor();
    },
  },
  {
    name: 'chain-in-trouble',
    screen: 'pay',
    heading: paying('ETH'),
    words: (texts) => texts.text('pay.trouble', { network: 'Ethereum' }),
    set: async (stage) => {
      const url = await chosen(stage, ETH);
      await stage.loseChains('ethereum');
      return url;
    },
    hasTrouble: true,
  },
  {
    name: 'price-ended',
    screen: 'price-ended',
    heading: paying('ETH'),
    words: says('pay.ended'),
    set: async (stage) => {
      const url = await chosen(stage, ETH);
      await stage.shop.wait(1_000);
      return url;
    },
  },
  {
    name: 'stray',
    screen: 'pay-stray',
    heading: says('stray.wrong-network'),
    words: says('stray.recorded'),
    set: async (stage) => {
      const payment = await stage.create();
      const url = await chooseMethod(stage.shop, payment, ETH);
      await stage.chains.sendBnb(payment);
      return url;
    },
  },
  {
    name: 'stray-refund',
    screen: 'refund-under-way',
    heading: says('claim.heading'),
    words: says('claim.order-unpaid'),
    set: async (stage) => strayRefund(stage, await stage.create()),
  },
];

const SEEN: Scene[] = [
  {
    name: 'seen',
    screen: 'found',
    heading: says('seen.heading'),
    words: (texts) => texts.text('seen.step-confirming', { seen: 1, required: 12 }),
    set: async (stage) => page(stage, await stage.pay(await stage.create(), 100n, 1)),
  },
  {
    name: 'seen-delayed',
    screen: 'found',
    heading: says('seen.heading'),
    words: says('seen.delayed'),
    set: async (stage) => {
      const payment = await stage.pay(await stage.create(), 100n, 4);
      await stage.loseChains('ethereum');
      return page(stage, payment);
    },
    hasTrouble: true,
  },
  {
    name: 'late',
    screen: 'found',
    heading: says('seen.heading'),
    words: says('late.own-rate'),
    set: async (stage) => {
      const payment = await stage.create();
      const instructions = await stage.shop.instructions(payment);
      await stage.shop.wait(1_900);
      await stage.shop.send(instructions, (BigInt(instructions.amount.atomic) * 11n) / 10n);
      await stage.shop.mine();
      await stage.shop.wait(30);
      await stage.shop.settle();
      return page(stage, payment);
    },
  },
  {
    name: 'short',
    screen: 'found-short',
    heading: missing,
    set: async (stage) => page(stage, await stage.pay(await stage.create(), 50n, 1)),
  },
  {
    name: 'part',
    screen: 'underpaid',
    heading: missing,
    words: says('short.arrived'),
    set: async (stage) => page(stage, await stage.pay(await stage.create(), 50n)),
  },
];

const ENDED: Scene[] = [
  {
    name: 'paid',
    screen: 'paid',
    heading: says('paid.heading'),
    words: says('receipt.show'),
    set: async (stage) => page(stage, await stage.pay(await stage.create())),
  },
  {
    name: 'overpaid',
    screen: 'paid',
    heading: says('paid.heading'),
    words: says('paid.want-back'),
    set: async (stage) => page(stage, await stage.pay(await stage.create(), 200n)),
  },
  {
    name: 'asked-back',
    screen: 'paid',
    heading: says('paid.heading'),
    words: says('claim.enter-address'),
    set: askedBack('OVERPAYMENT', 200n),
  },
  {
    name: 'part-asked-back',
    screen: 'underpaid',
    heading: missing,
    words: says('claim.do-not-pay'),
    set: askedBack('UNDERPAYMENT', 50n),
  },
  {
    name: 'stray-paid',
    screen: 'paid',
    heading: says('paid.heading'),
    words: says('stray.recorded'),
    set: async (stage) => {
      const payment = await stage.create();
      await stage.chains.sendBnb(payment);
      return page(stage, await stage.pay(payment));
    },
  },
  {
    name: 'cancelled',
    screen: 'cancelled',
    heading: says('cancelled.heading'),
    set: async (stage) => page(stage, await stage.cancel(await stage.create())),
  },
  {
    name: 'failed',
    screen: 'error',
    heading: says('failed.heading'),
    set: async (stage) => {
      const payment = await stage.create();
      await stage.shop.gateway.get(PaymentsService).fail(payment.id, 'address_integrity');
      return page(stage, payment);
    },
  },
  {
    name: 'refunded',
    screen: 'refund',
    heading: says('refunded.heading'),
    set: async (stage) => {
      const payment = await stage.pay(await stage.create());
      await stage.refunds.settleRefund(await stage.refunds.create(payment, { address: CUSTOMER }));
      return page(stage, payment);
    },
  },
];

const ERRORS: Scene[] = [
  {
    name: 'error-403',
    screen: 'error',
    heading: says('checkout-error.signature.title'),
    set: async (stage) => page(stage, await stage.create()).replace(/signature=\w{4}/, 'signature=0000'),
  },
  {
    name: 'error-404',
    screen: 'error',
    heading: says('checkout-error.not-found.title'),
    set: async ({ shop }) => `${shop.gateway.baseUrl}/checkout/nothing`,
  },
  {
    name: 'error-429',
    screen: 'error',
    heading: says('error.too-many.title'),
    set: async (stage) => {
      const url = page(stage, await stage.create());
      await stage.useUpLimit(url);
      return url;
    },
    hasTrouble: true,
  },
  {
    name: 'error-500',
    screen: 'error',
    heading: says('error.broken.title'),
    set: async (stage) => {
      const url = page(stage, await stage.create());
      await (await fetch(url)).arrayBuffer();
      jest.spyOn(stage.shop.gateway.get(PaymentsService), 'get').mockRejectedValue(new Error('internals'));
      return url;
    },
    hasTrouble: true,
  },
];

/** The page of a refund that waits for the customer's address. */
async function claim(stage: CheckoutStage): Promise<string> {
  return (await stage.refunds.create(await stage.pay(await stage.create()))).claimUrl;
}

const OTHERS: Scene[] = [
  {
    name: 'receipt',
    screen: null,
    heading: says('receipt.final.title'),
    set: async (stage) => (await stage.shop.payment(await stage.pay(await stage.create()))).receiptUrl ?? '',
  },
  {
    name: 'refund-address',
    screen: null,
    heading: says('refund.address.heading'),
    set: claim,
  },
  {
    name: 'refund-confirm',
    screen: null,
    heading: says('refund.confirm.heading'),
    set: claim,
    act: enterRefundAddress,
  },
  {
    name: 'sign-in',
    screen: null,
    heading: says('signin.heading'),
    set: async (stage) => stage.signInUrl,
  },
  {
    name: 'consent',
    screen: null,
    heading: says('consent.heading'),
    set: async (stage) => stage.signInUrl,
    act: async (tab, { user }) => {
      await tab.locator('[name=email]').fill(user.email);
      await tab.locator('[name=password]').fill(PASSWORD);
      await tab.locator('[name=password]').press('Enter');
      await tab.locator('[name=password]').waitFor({ state: 'detached' });
    },
  },
];

export const SCENES: readonly Scene[] = [
  ...CHOOSING,
  ...PAYING,
  ...SEEN,
  ...ENDED,
  ...AFTER_THE_LINK,
  ...ERRORS,
  ...OTHERS,
];
