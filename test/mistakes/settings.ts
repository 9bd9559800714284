import { bearer, type Mistake } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

/** A request of the merchant's dashboard or back office. */
function asked(
  title: string,
  method: string,
  path: (harness: MistakesHarness) => string,
  body: object | ((harness: MistakesHarness) => object),
): Mistake {
  return {
    title,
    request: (harness) => ({
      method,
      path: `/api/payment-applications${path(harness)}`,
      headers: bearer(harness.owner.accessToken),
      body: typeof body === 'function' ? (body as (harness: MistakesHarness) => object)(harness) : body,
    }),
  };
}

const create = (title: string, fields: object) =>
  asked(title, 'POST', () => '', { name: 'My store', secret: 'a secret', ...fields });
const update = (title: string, fields: object) =>
  asked(title, 'PUT', ({ application }) => `/${application.id}`, fields);
const token = (title: string, fields: object) =>
  asked(title, 'POST', ({ application }) => `/${application.id}/client-tokens`, {
    label: 'Shop server',
    scopes: ['*'],
    ...fields,
  });
const wallet = (title: string, extendedPublicKey: string | undefined, family = 'evm') =>
  asked(title, 'PUT', ({ application }) => `/${application.id}/wallets/${family}`, { extendedPublicKey });

export const APPLICATIONS: Mistake[] = [
  create('no name', { name: undefined }),
  create('a name of two characters', { name: 'My' }),
  create('no secret', { secret: undefined }),
  create('a whsec_ secret that is no base64', { secret: 'whsec_my-own-secret' }),
  create('the placeholder of a secret', { secret: '<webhook secret>' }),
  create('a callbackUrl without https', { callbackUrl: 'shop.example.com/hook' }),
  create('a callbackUrl that is a path', { callbackUrl: '/webhooks' }),
  create('a callbackUrl with a password', { callbackUrl: 'https://user:password@shop.example.com/hook' }),
  create('a whitelist as text', { currencyWhitelist: 'ETH,USDT' }),
  create('a whitelist in lower case', { currencyWhitelist: ['eth', 'usdt'] }),
  create('a whitelist with a fiat currency', { currencyWhitelist: ['USD'] }),
  create('a whitelist with networks', { currencyWhitelist: ['USDT-ERC20'] }),
  create('a whitelist with a coin that is not watched', { currencyWhitelist: ['DOGE'] }),
  create('true as text', { allowUnderpay: 'true' }),
  update('the callbackUrl inside of site', { site: { callbackUrl: 'https://shop.example.com/hook' } }),
  update('the callbackUrl in snake case', { callback_url: 'https://shop.example.com/hook' }),
  update('one setting below setting', { setting: { allowUnderpay: true } }),
  update('the confirmations as one number', { confirmations: 3 }),
];

export const WALLETS: Mistake[] = [
  wallet(
    'the extended private key',
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  ),
  wallet(
    'the seed words',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ),
  wallet('an address', '0x52908400098527886E0F7030069857D2E4169EE7'),
  wallet('no key', undefined),
  wallet(
    'a key with a wrong character',
    'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATu',
  ),
  wallet(
    'a bitcoin key (zpub) for the EVM chains',
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  ),
  wallet(
    'a key of the test network',
    'tpubDDPRy5xWxJTuVmsh7YRzK8o2EdMWgn4t41fTLxXRgyRN7EKvN2L8BKCFC1gUfPu8Xp6rr667Yc26zrXsiBZsgBc8dQiYnhPNk2Q7CsBrer5',
    'bitcoin',
  ),
  {
    title: 'the token of a server without wallets:write',
    request: ({ application, tokens }) => ({
      method: 'PUT',
      path: `/api/payment-applications/${application.id}/wallets/evm`,
      headers: bearer(tokens.withoutWallets),
      body: { extendedPublicKey: 'xpub' },
    }),
  },
  wallet('the name of a chain as the family', 'xpub', 'ethereum'),
  wallet('a coin as the family', 'xpub', 'btc'),
];

export const CLIENT_TOKENS: Mistake[] = [
  token('one scope as text', { scopes: 'payments.create' }),
  token('a scope that does not exist', { scopes: ['payment.create'] }),
  token('a scope with a colon', { scopes: ['payments:read'] }),
  token('no scopes', { scopes: undefined }),
  token('no label', { label: undefined }),
  token('an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }),
  token('an end without a time zone', { expiresAt: '2027-01-01' }),
  asked(
    'a client token for a deleted application',
    'POST',
    ({ deletedApplication }) => `/${deletedApplication.id}/client-tokens`,
    { label: 'Shop server', scopes: ['*'] },
  ),
];

export const WEBHOOKS: Mistake[] = [
  asked(
    'a test of an event that does not exist',
    'POST',
    ({ application }) => `/${application.id}/webhook-test`,
    { event: 'payment.paid' },
  ),
  asked('a test without an event', 'POST', ({ application }) => `/${application.id}/webhook-test`, {}),
  asked(
    'an event id is redelivered in place of a delivery',
    'POST',
    ({ application }) =>
      `/${application.id}/webhook-deliveries/019aaf3c-0000-7000-8000-000000000000/redeliver`,
    {},
  ),
];
