import { EVENT_TYPES, STANDARD_EVENTS } from '../../applications/event-types.pure.js';
import { EXAMPLE_APPLICATION_ID } from '../parameters.js';
import {
  choice,
  flag,
  httpUrl,
  instant,
  list,
  nullable,
  object,
  ref,
  type Schema,
  type Schemas,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';

export const EXAMPLE_SITE = {
  id: '2c1f0b7e-95a4-4c0f-8a3d-6f1f0b9c7d21',
  title: 'My Store',
  url: 'https://mystore.example',
  callbackUrl: 'https://mystore.example/webhooks/payments',
  setting: {
    id: '91d3a6c2-5b1a-4a7a-b6a2-0f3c1a2b4d5e',
    title: 'Default Settings',
    allowOverpay: true,
    allowUnderpay: false,
    confirmations: { bitcoin: 3 },
  },
};

export const EXAMPLE_USER_ID = 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f';

const EXAMPLE_EVENTS = [...STANDARD_EVENTS, 'payment.expired'];

export const EXAMPLE_APPLICATION = {
  id: EXAMPLE_APPLICATION_ID,
  name: 'My Store',
  clientId: 'k3v9x2m7q1w8e5r4t6y0u2i8o1p3a7s5',
  userId: EXAMPLE_USER_ID,
  currencyWhitelist: ['ETH', 'USDC'],
  events: EXAMPLE_EVENTS,
  site: EXAMPLE_SITE,
  paymentAppImage: null,
  createdAt: '2026-01-15T10:00:00Z',
  deletedAt: null,
};

const site = {
  id: uuid('The site; `siteId` of a checkout. Not the id of the application.'),
  title: text('The name that customers see.'),
  url: nullable(httpUrl('The website of the shop.')),
  callbackUrl: nullable(httpUrl('Where webhooks go; null: no webhooks.')),
  setting: ref('SiteSetting'),
};

const confirmations = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'integer', minimum: 1, maximum: 10_000 },
});

/** What create and update have in common. */
const fields: Record<string, Schema> = {
  name: text('Shown to customers as the title of the shop. Not only white space.', {
    minLength: 3,
    maxLength: 255,
  }),
  secret: text(
    'Signs webhooks; kept encrypted, never answered. 32 random bytes or more are good. One that begins with `whsec_` must ' +
      'go on with padded standard base64 of at least one byte, and is decoded; any other text is used as it stands.',
    { minLength: 1, maxLength: 255, writeOnly: true },
  ),
  url: nullable(httpUrl('The website of the shop; its origin may frame the checkout page. Null clears it.')),
  callbackUrl: nullable(httpUrl('Where webhooks go; https in production. Null clears it.')),
  currencyWhitelist: list(
    'Codes of the cryptocurrencies that customers may pay with, enabled on this gateway (`GET /api/currencies`); ' +
      'empty: all. Codes that the application already has stay allowed.',
    { type: 'string' },
    { maxItems: 100, uniqueItems: true },
  ),
  allowUnderpay: flag('Accept payments that stay below their amount. False, unless set.'),
  allowOverpay: flag('Complete payments above their amount without a decision. True, unless set.'),
  confirmations: confirmations(
    'Blocks after which funds count, by slug of the blockchain, e.g. `{"bitcoin": 3}`; within what `GET ' +
      '/api/blockchains` says may be asked for. It takes the place of all numbers before; `{}` leaves every ' +
      'blockchain its own. Large amounts may need more.',
  ),
  events: list(
    'What webhooks and the event feed tell of. The four standard events are always sent and must be listed; ' +
      '`payment.found`, `payment.expired` and `payment.cancelled` are yours to add. The standard four, unless set.',
    ref('EventType'),
    {
      minItems: STANDARD_EVENTS.length,
      maxItems: EVENT_TYPES.length,
      uniqueItems: true,
      examples: [EXAMPLE_EVENTS],
    },
  ),
};

export const applicationSchemas: Schemas = {
  EventType: choice('The name of an event.', EVENT_TYPES, { title: 'EventType' }),
  PaymentApplication: object('PaymentApplication', 'A shop: what payments belong to.', {
    id: uuid('The application; `id` in paths.'),
    name: text('Its name.'),
    clientId: text('Names the application in request bodies; no secret.', { pattern: '^[a-z0-9]{32}$' }),
    userId: text('The owner.'),
    currencyWhitelist: list('Codes of the cryptocurrencies that customers may pay with; empty: all.', {
      type: 'string',
    }),
    events: list('What webhooks and the event feed tell of.', ref('EventType')),
    site: ref('Site'),
    paymentAppImage: nullable(ref('ApplicationImage'), 'The logo; null: none.'),
    createdAt: instant('When it was created.'),
    deletedAt: nullable(instant('When it was soft-deleted; null while active.')),
  }),
  ApplicationImage: object('ApplicationImage', 'A picture.', {
    id: uuid('The picture.'),
    url: text('Where it is.', { format: 'uri' }),
  }),
  Site: object('Site', 'The site of a payment application.', site),
  SiteSetting: object('SiteSetting', 'How payments are judged.', {
    id: uuid('The settings.'),
    title: text('Their name.'),
    allowOverpay: flag('Payments above their amount are completed without a decision.'),
    allowUnderpay: flag('Payments below their amount are accepted.'),
    confirmations: confirmations(
      'Blocks after which funds count, by slug of the blockchain; those that are not named keep their own number.',
    ),
  }),
  SiteWithApplication: object('SiteWithApplication', 'A site, and the application that it belongs to.', {
    ...site,
    paymentApplicationId: uuid('The application, through which the site is written.'),
  }),
  CreatePaymentApplication: object(
    'CreatePaymentApplication',
    'A new payment application.',
    fields,
    Object.keys(fields).filter((name) => !['name', 'secret'].includes(name)),
  ),
  UpdatePaymentApplication: object(
    'UpdatePaymentApplication',
    'What to change; absent fields stay as they are. A new `secret` signs beside the old one for 24 hours.',
    fields,
    Object.keys(fields),
  ),
};
