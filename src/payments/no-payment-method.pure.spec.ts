import type { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { noWallet, nothingEnabled } from './no-payment-method.pure.js';

const ID = '0190a000-0000-7000-8000-00000000000a';
const by = (currencyWhitelist: string[] = []) =>
  ({ applicationId: ID, currencyWhitelist, field: 'siteId' }) as const;

it.each<[string, ValidationError, string, string]>([
  [
    'no network is enabled',
    nothingEnabled(by(['BTC']), []),
    'This payment could never be paid: this gateway watches no network.',
    'The operator of the gateway enables a network with CHAIN_<SLUG>_RPC_URL.',
  ],
  [
    'no currency of the whitelist is enabled',
    nothingEnabled(by(['BTC', 'SOL']), ['ETH', 'USDC']),
    'This payment could never be paid: the application accepts only BTC, SOL, which is not enabled on this gateway.',
    `Set a currencyWhitelist with at least one of ETH, USDC by PUT /api/payment-applications/${ID}.`,
  ],
  [
    'there is no wallet of the only family',
    noWallet(by(), ['evm']),
    'This payment could never be paid: no wallet is configured for the network that it may be paid on.',
    `Add a wallet of the family evm by PUT /api/payment-applications/${ID}/wallets/evm.`,
  ],
  [
    'there is no wallet of several families',
    noWallet(by(), ['evm', 'bitcoin']),
    'This payment could never be paid: no wallet is configured for any of the networks that it may be paid on.',
    `Add a wallet by PUT /api/payment-applications/${ID}/wallets/{family}, where {family} is one of evm, bitcoin.`,
  ],
])('explains for the field of the application that %s', (_case, error, message, hint) => {
  expect(error).toMatchObject({
    code: 'no_payment_method',
    extra: { hint, errors: { siteId: [message] } },
  });
});
