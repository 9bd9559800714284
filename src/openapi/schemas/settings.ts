import { SCOPES } from '../../platform/security/auth.js';
import { EVENT_TYPES } from '../../applications/event-types.pure.js';
import { EXAMPLE_APPLICATION_ID, EXAMPLE_PAYMENT_ID } from '../parameters.js';
import { EXAMPLE_TOKEN } from './checkout.js';
import {
  choice,
  count,
  flag,
  httpUrl,
  instant,
  list,
  nullable,
  object,
  ref,
  type Schema,
  type Schemas,
  sentInstant,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';

export const EXAMPLE_CLIENT_TOKEN = {
  id: 'b5f3c1a0-2d4e-4f6a-8b9c-0d1e2f3a4b5c',
  paymentApplicationId: EXAMPLE_APPLICATION_ID,
  label: 'Shop server',
  scopes: ['payments.create', 'payments.get'],
  tokenPrefix: 'pct_5m3q',
  expiresAt: '2027-01-01T00:00:00Z',
  lastUsedAt: null,
  revokedAt: null,
  createdAt: '2026-01-15T10:00:00Z',
};

export const EXAMPLE_WALLET = {
  family: 'evm',
  scriptType: null,
  extendedPublicKey: 'xpub6C…9f2A',
  fingerprint: '3442193e',
  nextIndex: 17,
  previewAddresses: [
    '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
    '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
  ],
  createdAt: '2026-01-15T10:00:00Z',
};

const USDC_RECEIVED = {
  value: 1250.5,
  amount: 1_250_500_000,
  formatted: '1250.500000 USDC',
  atomic: '1250500000',
  currency: { code: 'USDC', name: 'USD Coin', decimals: 6 },
  decimals: 6,
  symbol: 'USDC',
};

export const EXAMPLE_HOLDING = {
  blockchain: 'ethereum',
  currencyCode: 'USDC',
  token: EXAMPLE_TOKEN,
  addressCount: 12,
  receivedAmount: USDC_RECEIVED,
  pendingAmount: { ...USDC_RECEIVED, value: 0, amount: 0, formatted: '0.000000 USDC', atomic: '0' },
  lastSeenAt: '2026-01-15T10:04:12Z',
};

export const EXAMPLE_PUT_WALLET = {
  extendedPublicKey:
    'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
};

export const EXAMPLE_DELIVERY = {
  id: 'e2a1c3b4-5d6f-4a7b-8c9d-0e1f2a3b4c5d',
  eventId: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11',
  event: 'payment.received',
  paymentId: EXAMPLE_PAYMENT_ID,
  attempt: 2,
  url: 'https://mystore.example/webhooks/payments',
  status: 'SUCCEEDED',
  httpStatus: 200,
  errorMessage: null,
  requestBody: '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received"}',
  responseBody: 'ok',
  durationMs: 84,
  nextAttemptAt: null,
  createdAt: '2026-01-15T10:20:00Z',
  test: false,
};

/** As it waits for its one attempt. */
export const EXAMPLE_TEST_DELIVERY = {
  ...EXAMPLE_DELIVERY,
  attempt: 0,
  url: null,
  status: 'PENDING',
  httpStatus: null,
  requestBody: '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received","test":true}',
  responseBody: null,
  durationMs: null,
  nextAttemptAt: '2026-01-15T10:20:00Z',
  test: true,
};

export const WEBHOOK_EVENTS = EVENT_TYPES;

/**
 * The outcomes of attempts, and three states that are no attempt's outcome (specification/webhooks.md#delivery-log).
 */
export const DELIVERY_STATUSES = [
  'PENDING',
  'SUCCEEDED',
  'FAILED',
  'EXHAUSTED',
  'BLOCKED',
  'SKIPPED',
  'SUPERSEDED',
];

const clientToken: Record<string, Schema> = {
  id: uuid('The record of the token; `tokenId` in paths.'),
  paymentApplicationId: uuid('The application that the token acts for.'),
  label: text('What you called it.'),
  scopes: list('What it may do.', ref('Scope')),
  tokenPrefix: text('How the token begins, to recognise it.'),
  expiresAt: nullable(instant('When it ends; null: never.')),
  lastUsedAt: nullable(instant('When it was used last, to the minute.')),
  revokedAt: nullable(instant('When it was revoked.')),
  createdAt: instant('When it was created.'),
};

const deliveryFields: Record<string, Schema> = {
  id: uuid('The delivery; `deliveryId` in paths.'),
  eventId: uuid('The event: `id` in its body.'),
  event: choice('What happened.', WEBHOOK_EVENTS),
  paymentId: uuid('The payment that it is about.'),
  attempt: count('Attempts so far.'),
  url: nullable(httpUrl('Where the newest attempt went, or the next one goes.')),
  status: choice(
    'PENDING: not tried yet. SUCCEEDED: answered 2xx. FAILED: the last attempt failed, another one comes. EXHAUSTED: ' +
      'no more attempts. BLOCKED: no readable secret to sign with. SKIPPED: no callback URL. SUPERSEDED: what it says is ' +
      'no longer true, or a later event of the payment made it pointless.',
    DELIVERY_STATUSES,
  ),
  httpStatus: { type: ['integer', 'null'], description: 'What your server answered; null: nothing.' },
  errorMessage: nullable(text('Why the attempt failed.')),
  requestBody: text('The exact text that is signed and sent.'),
  responseBody: nullable(text('The beginning of what your server answered.')),
  durationMs: nullable(count('How long the attempt took, in milliseconds.')),
  nextAttemptAt: nullable(instant('When it is tried next; null: not any more.')),
  createdAt: instant('When it happened.'),
  test: flag('A test event: it never happened, and `paymentId` names no payment.'),
};

export const settingsSchemas: Schemas = {
  Scope: choice('What a client token may do; `*` is all.', SCOPES, { title: 'Scope' }),
  ClientToken: object('ClientToken', 'The record of a client token; never the token itself.', clientToken),
  NewClientToken: object('NewClientToken', 'A new client token, shown this once.', {
    ...clientToken,
    token: text('The token. Only its hash is kept.', { pattern: '^pct_[0-9A-Za-z]{40}$' }),
  }),
  CreateClientToken: object(
    'CreateClientToken',
    'A new client token. It cannot be changed later.',
    {
      label: text('What you call it.', { minLength: 1, maxLength: 255 }),
      expiresAt: nullable(
        sentInstant('When it ends, in the future and with a time zone. Null or absent: never.'),
      ),
      scopes: list('What it may do.', ref('Scope'), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
      }),
    },
    ['expiresAt'],
  ),
  Wallet: object('Wallet', 'Where the deposit addresses of an application come from.', {
    family: text('The kind of blockchain, e.g. `evm`: one key serves all of a kind.'),
    scriptType: nullable(text('The form of addresses, where the kind of blockchain has several.')),
    extendedPublicKey: text('The key, masked.'),
    fingerprint: text('Of the key (BIP 32), to recognise it.', { pattern: '^[0-9a-f]{8}$' }),
    nextIndex: count('The index of the next address.'),
    previewAddresses: list(
      'The first addresses, to compare with your wallet. None: the key is of another network than the gateway uses now.',
      { type: 'string' },
    ),
    createdAt: instant('Since when the key is used.'),
  }),
  Holding: object('Holding', 'What deposit addresses have received of one asset on one blockchain.', {
    blockchain: text('The slug of the blockchain.'),
    currencyCode: text('The currency.'),
    token: nullable(
      ref('Token'),
      'The contract; null for the coin of the blockchain, and where the gateway no longer knows the blockchain.',
    ),
    addressCount: count('Deposit addresses with confirmed funds of this asset.'),
    receivedAmount: {
      ...ref('Amount'),
      description:
        'Confirmed, all together, in the units of the asset on this blockchain. What was spent since counts too.',
    },
    pendingAmount: {
      ...ref('Amount'),
      description: 'Seen, and not confirmed yet; not a part of `receivedAmount`.',
    },
    lastSeenAt: instant('When the newest transfer was first seen.'),
  }),
  PutWallet: object(
    'PutWallet',
    'The key to use from now on. Addresses that were handed out stay watched.',
    {
      extendedPublicKey: text(
        'An account’s extended public key (`xpub`, `ypub`, `zpub`, …) or, on Bitcoin and its kind, an output descriptor with its checksum. Never a private key: it would be refused and is not logged.',
        {
          minLength: 1,
          maxLength: 4_096,
        },
      ),
      scriptType: nullable(
        text('Only where the prefix of the key leaves it open, so never for `evm`.', {
          minLength: 1,
          maxLength: 32,
        }),
      ),
    },
    ['scriptType'],
  ),
  WebhookDelivery: object('WebhookDelivery', 'One webhook, with its newest attempt.', deliveryFields),
  WebhookTest: object(
    'WebhookTest',
    'A test event that is on its way, and what is known to be wrong already.',
    {
      ...deliveryFields,
      warnings: list(
        'Why your server will refuse it, e.g. a `secret` that published verifiers cannot decode; in English. Mostly empty.',
        { type: 'string' },
      ),
    },
  ),
};
