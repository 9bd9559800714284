import { CURRENCIES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { Contract, enumeration, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  FieldOf,
  Flag,
  HttpUrl,
  Instant,
  IntegerMap,
  Nested,
  Text,
  TextList,
  Uuid,
} from '../platform/web/contract/fields.js';
import { selectionMessage } from '../platform/web/contract/selection-message.pure.js';
import { ref, BLOCKCHAIN_SLUG, CURRENCY_CODE } from '../platform/web/contract/json-schema.js';
import { uuidParameter } from '../platform/web/contract/operation.js';
import { textArray } from '../platform/web/contract/rules.js';
import { findLocale, type Locale, LOCALES } from '../platform/kernel/i18n/locale.pure.js';
import { PageQuery } from '../platform/web/http/pagination.js';
import { ACCENT, ACCENT_COLOR, MAX_SUPPORT_URL, SUPPORT_URL } from './branding/branding-fields.js';
import { EVENT_LIST } from './event-list.js';
import { LISTABLE_EVENTS, type ListableEvent, STANDARD_EVENTS } from './event-types.pure.js';
import { SECRET } from './secret-field.js';
import { UnderpayShareFields, UnderpaySharesContract } from './underpay-shares.contract.js';
import { SUPPORT_URL_PATTERN } from './branding/support-url.pure.js';

/** See specification/conventions.md#sizes. */
const MAX_WHITELIST = 100;
/** Blocks; what a chain allows is less, see confirmation-overrides.pure.ts. */
const MAX_CONFIRMATIONS = 10_000;
const CRYPTO = CURRENCIES.filter(({ type }) => type === 'crypto');
const CRYPTO_CODES = CRYPTO.map(({ code }) => code);

export const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';
export const EXAMPLE_CLIENT_ID = 'k3v9x2m7q1w8e5r4t6y0u2i8o1p3a7s5';
export const EXAMPLE_USER_ID = 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f';
export const EXAMPLE_SITE_ID = '2c1f0b7e-95a4-4c0f-8a3d-6f1f0b9c7d21';
const EXAMPLE_SHOP = 'https://mystore.example';
const EXAMPLE_CALLBACK = 'https://mystore.example/webhooks/payments';
const EXAMPLE_ACCENT = '#1747d1';
const EXAMPLE_SUPPORT = 'https://mystore.example/help';
const EXAMPLE_EVENTS = [...STANDARD_EVENTS, 'payment.expired'];

/** `:id` of every path below a payment application. */
export const APPLICATION_ID = uuidParameter(
  'The payment application: its UUID, not its `clientId`.',
  EXAMPLE_APPLICATION_ID,
  'ApplicationId',
);

export const LANGUAGE = enumeration('Language', 'A language of the checkout page.', LOCALES);

/** Names the language that was meant: `EN`, `zh-CN`, `pt_BR`. */
function languageMessage(field: string, sent: unknown): string {
  const meant = typeof sent === 'string' ? findLocale(sent) : null;
  return selectionMessage(field, sent, { allowed: LOCALES, ...(meant && { meant: [meant] }) });
}

export const EVENT_TYPE = enumeration('EventType', 'The name of an event.', LISTABLE_EVENTS);

const NAME = {
  min: 3,
  max: 255,
  blank: false as const,
  about: 'Shown to customers as the title of the shop. Not only white space.',
  example: 'My Store',
};

/** Fields of both POST and PUT; absent fields of a PUT keep their values. */
class ApplicationFields extends UnderpayShareFields {
  @HttpUrl({
    optional: true,
    nullable: true,
    about: 'The website of the shop; its origin may frame the checkout page. Null clears it.',
    example: EXAMPLE_SHOP,
  })
  url?: string | null;

  /** webhook-url-policy.pure.ts decides which addresses are allowed. */
  @HttpUrl({
    optional: true,
    nullable: true,
    about: 'Where webhooks go; https in production. Null clears it.',
    example: EXAMPLE_CALLBACK,
  })
  callbackUrl?: string | null;

  /** The document lists no codes: which of them are enabled depends on the gateway's configuration. */
  @FieldOf(
    {
      schema: () => ({
        type: 'array',
        items: { type: 'string', ...CURRENCY_CODE },
        maxItems: MAX_WHITELIST,
        uniqueItems: true,
      }),
      ...textArray({
        max: MAX_WHITELIST,
        unique: true,
        oneOf: CRYPTO_CODES,
        explain: (field, sent) => currencyMessage(field, sent, CRYPTO),
      }),
    },
    {
      optional: true,
      about:
        'Codes of the cryptocurrencies that customers may pay with, of those enabled on this gateway ' +
        '(`GET /api/currencies`); empty: all. Codes that the application already has stay allowed.',
      example: ['ETH', 'USDC'],
    },
  )
  currencyWhitelist?: string[];

  @Flag({
    optional: true,
    about: 'Accept payments below their amount. False unless set.',
    example: false,
  })
  allowUnderpay?: boolean;

  @Flag({
    optional: true,
    about: 'Complete payments above their amount without a decision of yours. True unless set.',
    example: true,
  })
  allowOverpay?: boolean;

  @IntegerMap({
    optional: true,
    count: 100,
    names: BLOCKCHAIN_SLUG,
    min: 1,
    max: MAX_CONFIRMATIONS,
    about:
      'Blocks after which funds count, by slug of the blockchain, e.g. `{"bitcoin": 3}`; within the limits that `GET ' +
      '/api/blockchains` returns. It replaces all earlier numbers; with `{}` every blockchain has its default. Large ' +
      'amounts may need more.',
  })
  confirmations?: Record<string, number>;

  @FieldOf(
    {
      schema: () => ({
        type: 'array',
        items: ref(EVENT_TYPE.title),
        minItems: STANDARD_EVENTS.length,
        maxItems: LISTABLE_EVENTS.length,
        uniqueItems: true,
        examples: [EXAMPLE_EVENTS],
      }),
      ...EVENT_LIST,
      refersTo: () => [EVENT_TYPE],
    },
    {
      optional: true,
      about:
        'What webhooks and the event feed report. The four standard events are always sent and must be listed; ' +
        '`payment.found`, `payment.expired`, `payment.cancelled`, `payment.updated`, `payment.refund_requested` and `wallet.changed` are optional. Only the standard events unless set.',
    },
  )
  events?: ListableEvent[];

  @FieldOf(
    { schema: () => ({ type: 'string', pattern: ACCENT.source }), ...ACCENT_COLOR },
    {
      optional: true,
      nullable: true,
      about:
        'The color of links and buttons on the checkout page, with a contrast of at least 3:1 to white; it is darkened, ' +
        'and for dark screens lightened, until it is readable. Null: the color of the gateway.',
      example: EXAMPLE_ACCENT,
    },
  )
  accent?: string | null;

  @FieldOf(
    {
      schema: () => ({ type: 'string', pattern: SUPPORT_URL_PATTERN, maxLength: MAX_SUPPORT_URL }),
      rules: SUPPORT_URL,
    },
    {
      optional: true,
      nullable: true,
      about:
        'Where customers get help, shown on the checkout page: an http(s) URL, or `mailto:` with one address and at most a ' +
        '`subject`. Null clears it.',
      example: EXAMPLE_SUPPORT,
    },
  )
  supportUrl?: string | null;

  @Choice(LANGUAGE, {
    optional: true,
    nullable: true,
    explain: languageMessage,
    about: "The checkout page's language where neither the link nor the browser asks for one. Null: English.",
    example: 'de',
  })
  defaultLanguage?: Locale | null;
}

/** Body of POST /api/payment-applications (specification/applications.md#settings). */
@Contract('CreatePaymentApplication', 'A new payment application.')
export class CreateApplicationContract extends ApplicationFields {
  @Text(NAME)
  name: string;

  @Text(SECRET)
  secret: string;
}

/**
 * Body of PUT /api/payment-applications/{id}: any subset of the create fields (specification/applications.md#settings).
 */
@Contract(
  'UpdatePaymentApplication',
  'The fields to change; absent fields keep their values. A new `secret` signs beside the old one for 24 hours.',
)
export class UpdateApplicationContract extends ApplicationFields {
  @Text({ ...NAME, optional: true })
  name?: string;

  @Text({ ...SECRET, optional: true })
  secret?: string;
}

/** Query of GET /api/payment-applications (specification/conventions.md#pagination). */
export class ListApplicationsQuery extends PageQuery {
  @Choice(['with', 'only'], {
    optional: true,
    component: 'Trashed',
    about: '`with`: soft-deleted ones too; `only`: nothing else; without it only active ones.',
  })
  trashed?: 'with' | 'only';
}

/**
 * These lists are returned whole unless a page is requested: the original interface has no paging here, and clients of it
 * must not miss items (specification/conventions.md#pagination).
 * @param sent the parameters of the query string
 */
export function isPageAsked(sent: object): boolean {
  return ['page', 'per_page', 'perPage'].some((parameter) => Object.hasOwn(sent, parameter));
}

@Contract('ApplicationImage', 'A picture.')
export class ApplicationImageContract {
  @Uuid({ about: 'The picture.' })
  id: string;

  @Text({ format: 'uri', about: 'Where it is.' })
  url: string;
}

@Contract('SiteSetting', 'Which payments are accepted.')
export class SiteSettingContract extends UnderpaySharesContract {
  @Uuid({ about: 'The settings.', example: '91d3a6c2-5b1a-4a7a-b6a2-0f3c1a2b4d5e' })
  id: string;

  @Text({ about: 'Their name.', example: 'Default Settings' })
  title: string;

  @Flag({ about: 'Payments above their amount are completed without a decision.', example: true })
  allowOverpay: boolean;

  @Flag({ about: 'Payments below their amount are accepted.' })
  allowUnderpay: boolean;

  @IntegerMap({
    min: 1,
    max: MAX_CONFIRMATIONS,
    about: 'Blocks after which funds count, by slug of the blockchain; the others have their default.',
    example: { bitcoin: 3 },
  })
  confirmations: Readonly<Record<string, number>>;
}

@Contract('Site', 'The site of a payment application.')
export class SiteContract {
  @Uuid({
    about: 'The site; `siteId` of a checkout. Not the id of the application.',
    example: EXAMPLE_SITE_ID,
  })
  id: string;

  @Text({ about: 'The name that customers see.', example: 'My Store' })
  title: string;

  @HttpUrl({ nullable: true, about: 'The website of the shop.', example: EXAMPLE_SHOP })
  url: string | null;

  @HttpUrl({ nullable: true, about: 'Where webhooks go; null: no webhooks.', example: EXAMPLE_CALLBACK })
  callbackUrl: string | null;

  @Nested(() => SiteSettingContract)
  setting: SiteSettingContract;
}

@Contract('SiteWithApplication', 'A site, and the application that it belongs to.')
export class SiteWithApplicationContract extends SiteContract {
  @Uuid({ about: 'The application, through which the site is changed.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;
}

/** Every route returns the application with all of these fields (specification/applications.md#routes). */
@Contract('PaymentApplication', 'A shop, which payments belong to.')
export class ApplicationContract {
  @Uuid({ about: 'The application; `id` in paths.', example: EXAMPLE_APPLICATION_ID })
  id: string;

  @Text({ about: 'Its name.', example: 'My Store' })
  name: string;

  @Text({
    pattern: '^[a-z0-9]{32}$',
    about: 'Identifies the application in request bodies; not a secret.',
    example: EXAMPLE_CLIENT_ID,
  })
  clientId: string;

  @Text({ about: 'The owner.', example: EXAMPLE_USER_ID })
  userId: string;

  @TextList({
    about: 'Codes of the cryptocurrencies that customers may pay with; empty: all.',
    example: ['ETH', 'USDC'],
  })
  currencyWhitelist: string[];

  @TextList({ of: EVENT_TYPE, about: 'What webhooks and the event feed report.', example: EXAMPLE_EVENTS })
  events: readonly ListableEvent[];

  @Nested(() => SiteContract)
  site: SiteContract;

  @Text({
    nullable: true,
    about: 'The color of links and buttons on the checkout page; null: that of the gateway.',
    example: EXAMPLE_ACCENT,
  })
  accent: string | null;

  @Text({
    pattern: SUPPORT_URL_PATTERN,
    nullable: true,
    about: 'Where customers get help; null: not shown.',
    example: EXAMPLE_SUPPORT,
  })
  supportUrl: string | null;

  @Choice(LANGUAGE, {
    nullable: true,
    about: "The checkout page's language unless the customer has another; null: English.",
    example: 'de',
  })
  defaultLanguage: Locale | null;

  @Nested(() => ApplicationImageContract, { nullable: true, about: 'The logo; null: none.' })
  paymentAppImage: ApplicationImageContract | null;

  @Instant({ about: 'When it was created.' })
  createdAt: string;

  @Instant({ nullable: true, about: 'When it was soft-deleted; null while active.' })
  deletedAt: string | null;
}

/** The example of a site that accepts underpayment. */
export const EXAMPLE_SITE_UNDERPAID = {
  ...exampleOf(SiteContract, 'response'),
  setting: { ...exampleOf(SiteSettingContract, 'response'), allowUnderpay: true },
};
