import { bearer, type Mistake, type Sent } from './mistake.js';
import type { MistakesWorld } from './world.js';

type PaymentName = keyof MistakesWorld['payments'];

/** Instructions through the customer's link. */
const customer = (world: MistakesWorld, payment: PaymentName, path: string): Sent => {
  const { id, checkoutUrl } = world.payments[payment];
  return { method: 'GET', path: `/api/checkout/payment/${id}${path}${new URL(checkoutUrl).search}` };
};
/** Instructions by the merchant's server. */
const server = (world: MistakesWorld, payment: PaymentName, path: string): Sent => ({
  method: 'GET',
  path: `/api/payment/${world.payments[payment].id}${path}`,
  headers: bearer(world.application.clientToken),
});

export const METHODS: Mistake[] = [
  {
    title: 'no method is named where there are several',
    request: (world) => customer(world, 'open', '/provider'),
  },
  {
    title: 'only a provider is named, and it has several methods',
    request: (world) => customer(world, 'open', '/provider/ethereum'),
  },
  {
    title: 'provider and method are swapped',
    request: (world) => server(world, 'open', '/provider/eth/method/ethereum'),
  },
  {
    title: 'a mistyped provider',
    request: (world) => server(world, 'open', '/provider/etherum/method/eth'),
  },
  {
    title: 'a token standard as the provider',
    request: (world) => server(world, 'open', '/provider/erc20/method/usdt'),
  },
  {
    title: 'a token with its standard as the method',
    request: (world) => server(world, 'open', '/provider/ethereum/method/usdt-erc20'),
  },
  {
    title: 'a coin that is not on this chain',
    request: (world) => server(world, 'open', '/provider/ethereum/method/bnb'),
  },
  {
    title: 'a chain that this gateway knows and does not watch',
    request: (world) => server(world, 'open', '/provider/bitcoin/method/btc'),
  },
  {
    title: 'a coin outside of the whitelist of the application',
    request: (world) => customer(world, 'bnbOnly', '/provider/ethereum/method/eth'),
  },
  {
    title: 'instructions for a cancelled payment',
    request: (world) => server(world, 'cancelled', '/provider/ethereum/method/eth'),
  },
  {
    title: 'instructions for a payment whose link has ended',
    request: (world) => server(world, 'linkEnded', '/provider/ethereum/method/eth'),
  },
];
