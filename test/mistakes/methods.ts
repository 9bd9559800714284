import { bearer, type Mistake, type Sent } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

type PaymentName = keyof MistakesHarness['payments'];

/** Instructions through the customer's link. */
const customer = (harness: MistakesHarness, payment: PaymentName, path: string): Sent => {
  const { id, checkoutUrl } = harness.payments[payment];
  return { method: 'GET', path: `/api/checkout/payment/${id}${path}${new URL(checkoutUrl).search}` };
};
/** Instructions by the merchant's server. */
const server = (harness: MistakesHarness, payment: PaymentName, path: string): Sent => ({
  method: 'GET',
  path: `/api/payment/${harness.payments[payment].id}${path}`,
  headers: bearer(harness.application.clientToken),
});

export const METHODS: Mistake[] = [
  {
    title: 'no method is named where there are several',
    request: (harness) => customer(harness, 'open', '/provider'),
  },
  {
    title: 'only a provider is named, and it has several methods',
    request: (harness) => customer(harness, 'open', '/provider/ethereum'),
  },
  {
    title: 'provider and method are swapped',
    request: (harness) => server(harness, 'open', '/provider/eth/method/ethereum'),
  },
  {
    title: 'a mistyped provider',
    request: (harness) => server(harness, 'open', '/provider/etherum/method/eth'),
  },
  {
    title: 'a token standard as the provider',
    request: (harness) => server(harness, 'open', '/provider/erc20/method/usdt'),
  },
  {
    title: 'a token with its standard as the method',
    request: (harness) => server(harness, 'open', '/provider/ethereum/method/usdt-erc20'),
  },
  {
    title: 'a coin that is not on this chain',
    request: (harness) => server(harness, 'open', '/provider/ethereum/method/bnb'),
  },
  {
    title: 'a chain that this gateway knows and does not watch',
    request: (harness) => server(harness, 'open', '/provider/bitcoin/method/btc'),
  },
  {
    title: 'a coin outside of the whitelist of the application',
    request: (harness) => customer(harness, 'bnbOnly', '/provider/ethereum/method/eth'),
  },
  {
    title: 'instructions for a cancelled payment',
    request: (harness) => server(harness, 'cancelled', '/provider/ethereum/method/eth'),
  },
  {
    title: 'instructions for a payment whose link has ended',
    request: (harness) => server(harness, 'linkEnded', '/provider/ethereum/method/eth'),
  },
];
