import { PageQuery } from '../platform/http/pagination.js';
import {
  FieldRule,
  IsHttpUrl,
  IsIntegerMap,
  IsNotBlank,
  IsNullableField,
  IsOneOf,
  IsOptionalField,
  IsText,
  IsTextArray,
  IsTrueBoolean,
} from '../platform/contract/validation.js';
import { EVENT_TYPES, type EventType } from './event-types.pure.js';
import { CURRENCIES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { ListsStandardEvents } from './event-list.js';
import { HOW_TO_MAKE_A_SECRET, isMalformedSecret } from './webhook-secret.pure.js';

/** See specification/conventions.md#sizes. */
const MAX_WHITELIST = 100;
/** Blocks; what a chain allows is less, see confirmation-overrides.pure.ts. */
const MAX_CONFIRMATIONS = 10_000;
const CRYPTO = CURRENCIES.filter(({ type }) => type === 'crypto');
const CRYPTO_CODES = CRYPTO.map(({ code }) => code);

/** No secret that looks encoded and is not; the message never repeats it. */
function IsWebhookSecret(): PropertyDecorator {
  return FieldRule('isWebhookSecret', (value) => {
    if (typeof value !== 'string' || !isMalformedSecret(value)) return { value };
    const form = `so padded standard base64 of at least one byte must follow, e.g. ${HOW_TO_MAKE_A_SECRET}`;
    return { problems: [{ message: (field) => `The ${field} field begins with whsec_, ${form}.` }] };
  });
}

/** What POST and PUT have in common; in PUT absent fields stay as they are. */
class ApplicationFields {
  /** Null clears it. */
  @IsOptionalField()
  @IsNullableField()
  @IsHttpUrl()
  url?: string | null;

  /** Null clears it. Where it may point to: see webhook-url-policy.pure.ts. */
  @IsOptionalField()
  @IsNullableField()
  @IsHttpUrl()
  callbackUrl?: string | null;

  /** Empty: every currency. */
  @IsOptionalField()
  @IsTextArray({
    max: MAX_WHITELIST,
    unique: true,
    oneOf: CRYPTO_CODES,
    explain: (field, sent) => currencyMessage(field, sent, CRYPTO),
  })
  currencyWhitelist?: string[];

  @IsOptionalField()
  @IsTrueBoolean()
  allowUnderpay?: boolean;

  @IsOptionalField()
  @IsTrueBoolean()
  allowOverpay?: boolean;

  /** Blocks by chain, as a whole: what is not named takes the chain's own number. */
  @IsOptionalField()
  @IsIntegerMap(100, 1, MAX_CONFIRMATIONS)
  confirmations?: Record<string, number>;

  /** What webhooks and feed tell of, as a whole. */
  @IsOptionalField()
  @ListsStandardEvents()
  @IsTextArray({ max: EVENT_TYPES.length, unique: true, oneOf: EVENT_TYPES })
  events?: EventType[];
}

/** Body of POST /api/payment-applications (specification/applications.md#settings). */
export class CreateApplicationDto extends ApplicationFields {
  @IsText(3, 255)
  @IsNotBlank()
  name: string;

  @IsText(1, 255)
  @IsNotBlank()
  @IsWebhookSecret()
  secret: string;
}

/**
 * Body of PUT /api/payment-applications/{id}: any subset of the create fields (specification/applications.md#settings).
 */
export class UpdateApplicationDto extends ApplicationFields {
  @IsOptionalField()
  @IsText(3, 255)
  @IsNotBlank()
  name?: string;

  @IsOptionalField()
  @IsText(1, 255)
  @IsNotBlank()
  @IsWebhookSecret()
  secret?: string;
}

/** Query of GET /api/payment-applications (specification/conventions.md#pagination). */
export class ListApplicationsQuery extends PageQuery {
  /** Active ones only when absent; `with` adds deleted ones, `only` leaves nothing else. */
  @IsOptionalField()
  @IsOneOf(['with', 'only'])
  trashed?: 'with' | 'only';
}

/**
 * Whether to paginate. Without a page parameter these lists are returned whole: the original interface has no paging
 * here, and a silent cut would lose entries (specification/conventions.md#pagination).
 * @param sent the query string's parameters as they came
 */
export function isPageAsked(sent: object): boolean {
  return ['page', 'per_page', 'perPage'].some((parameter) => Object.hasOwn(sent, parameter));
}
