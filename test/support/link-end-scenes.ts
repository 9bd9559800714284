import type { MessageKey, Texts } from '../../src/platform/kernel/i18n/texts.js';
import type { Scene } from './checkout-scenes.js';
import type { CheckoutStage } from './checkout-stage.js';
import { chooseMethod, pageUrl } from './chromium.js';
import type { CreatedPayment } from './shop.js';

const ETH = { provider: 'ethereum', method: 'eth' };

const says = (key: MessageKey) => (texts: Texts) => texts.text(key);
const page = ({ shop }: CheckoutStage, payment: CreatedPayment, query?: Record<string, string>) =>
  pageUrl(shop, payment, query);

/** The link has ended, for a browser that saw the payment before, or for a stranger to it. */
export const AFTER_THE_LINK: Scene[] = [
  {
    name: 'link-ends-first',
    screen: 'pay',
    heading: (texts) =>
      texts.text('pay.heading', {
        coin: 'ETH',
        network: texts.text('network.test', { network: 'Ethereum' }),
      }),
    set: async (stage) => chooseMethod(stage.shop, await stage.createShort(), ETH),
  },
  {
    name: 'link-ended-unpaid',
    screen: 'expired',
    heading: says('expired.heading'),
    words: says('expired.watching'),
    set: async (stage) => {
      const url = await chooseMethod(stage.shop, await stage.createShort(), ETH);
      await stage.shop.wait(601);
      return url;
    },
  },
  {
    name: 'link-ended-seen',
    screen: 'found',
    heading: says('seen.after-link'),
    words: says('expired.only-state'),
    set: async (stage) =>
      page(stage, await endedLink(await stage.pay(await stage.createShort(), 100n, 2), stage)),
  },
  {
    name: 'link-ended-paid',
    screen: 'paid',
    heading: says('paid.heading'),
    words: says('receipt.show'),
    set: async (stage) => page(stage, await endedLink(await stage.pay(await stage.createShort()), stage)),
  },
  {
    name: 'link-ended-short',
    screen: 'underpaid',
    heading: (texts) =>
      texts.text('short.heading', {
        amount: texts.money({ atomic: '3000', decimals: 2, currency: { code: 'USD' } }),
      }),
    words: says('short.link-ended'),
    set: async (stage) => {
      const payment = await stage.createShort();
      const seen = await proofOf(stage, payment);
      return page(stage, await endedLink(await stage.pay(payment, 50n), stage), { seen });
    },
  },
  {
    name: 'link-ended-stray',
    screen: 'stray',
    heading: says('stray.wrong-network'),
    words: says('stray.recorded'),
    set: async (stage) => {
      const payment = await stage.createShort();
      const seen = await proofOf(stage, payment);
      await chooseMethod(stage.shop, payment, ETH);
      await stage.chains.sendBnb(payment);
      return page(stage, await endedLink(payment, stage), { seen });
    },
  },
  {
    name: 'link-ended-taken-back',
    screen: 'taken-back',
    heading: says('gone.heading'),
    words: says('gone.text'),
    set: async (stage) => {
      const payment = await stage.createShort();
      const seen = await proofOf(stage, payment);
      await stage.pay(payment, 100n, 1);
      await stage.shop.chain.reorg(1);
      await stage.shop.mine(2);
      return page(stage, await endedLink(payment, stage), { seen });
    },
  },
];

async function endedLink(payment: CreatedPayment, { shop }: CheckoutStage): Promise<CreatedPayment> {
  await shop.wait(601);
  return payment;
}

/** What the page gives to a browser that keeps no cookies. */
async function proofOf(stage: CheckoutStage, payment: CreatedPayment): Promise<string> {
  const [, seen] = /data-seen="([^"]*)"/.exec(await (await fetch(page(stage, payment))).text()) ?? [];
  if (seen === undefined) throw new Error('the page has no proof');
  return seen;
}
