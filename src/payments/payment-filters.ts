import { IsIn } from 'class-validator';
import { BlockchainFilter } from '../chains/blockchain-filter.contract.js';
import { CURRENCIES, CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import {
  AtomicText,
  Choice,
  FieldOf,
  Instant,
  QueryFlag,
  Text,
  Uuid,
} from '../platform/web/contract/fields.js';
import { choiceList } from '../platform/web/contract/choice-list.js';
import { says } from '../platform/web/contract/messages.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import type { PaymentConditions } from './payment-overview.repository.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';
import type { ReviewReason } from './payment.pure.js';
import { CURRENCY_CODE } from '../platform/web/contract/json-schema.js';

const COINS = CURRENCIES.filter(({ type }) => type === 'crypto');
const COIN_CODES = COINS.map(({ code }) => code);
export const REVIEW_REASONS = [
  'overpaid',
  'reorg',
  'funds_after_cancel',
  'integrity',
] as const satisfies readonly ReviewReason[];

/** Names that other gateways have for a status, in upper case. */
const OTHER_NAMES: Readonly<Record<string, readonly PaymentStatus[]>> = {
  PAID: ['CONFIRMED'],
  COMPLETED: ['CONFIRMED'],
  SUCCESS: ['CONFIRMED'],
  PENDING: ['OPEN', 'FOUND'],
  NEW: ['OPEN'],
  EXPIRED: ['OPEN'],
};

/** The filters that the overview and the export have in common. */
export interface CommonFilters {
  status?: PaymentStatus[];
  blockchain?: string;
  coin?: string;
  currencyCode?: string;
  amountFrom?: bigint;
  amountTo?: bigint;
  dateFrom?: Date;
  dateTo?: Date;
  reviewReason?: ReviewReason;
  late?: boolean;
  expiredWithFunds?: boolean;
  overpaid?: boolean;
  unmatchedFunds?: boolean;
}

/** Those of the export. */
export interface PaymentFilters extends CommonFilters {
  paymentApplicationId?: string;
  reference?: string;
  search?: string;
}

/** Those of the list, whose total is counted in advance (explanation/performance.md#totals-and-pages-by-counts). */
export type ListFilters = Pick<
  PaymentFilters,
  | 'paymentApplicationId'
  | 'status'
  | 'reference'
  | 'currencyCode'
  | 'dateFrom'
  | 'dateTo'
  | 'search'
  | 'unmatchedFunds'
>;

/** One of the cryptocurrencies that there are, by its code. */
export function CoinFilter(about: string): PropertyDecorator {
  return FieldOf(
    {
      schema: () => ({ type: 'string', ...CURRENCY_CODE }),
      rules: [
        IsIn(
          COIN_CODES,
          says((field, sent) => currencyMessage(field, sent, COINS)),
        ),
      ],
    },
    { optional: true, about, example: 'USDC' },
  );
}

/** Their decorators: three classes have the fields, and none can extend another. */
export const FILTERS = {
  paymentApplicationId: Uuid({
    optional: true,
    about: 'Only payments of this application; an unknown one has none.',
    example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69',
  }),
  status: FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', enum: PAYMENT_STATUSES }, minItems: 1 }),
      ...choiceList(PAYMENT_STATUSES, OTHER_NAMES),
    },
    {
      optional: true,
      about: 'With one of these statuses, separated by commas.',
      example: ['RECEIVED', 'CONFIRMED'],
    },
  ),
  reference: Text({ min: 1, max: 255, optional: true, about: 'With exactly this reference.' }),
  blockchain: BlockchainFilter('Whose customer chose this network last.'),
  coin: CoinFilter('Whose customer chose this coin last.'),
  currencyCode: FieldOf(
    {
      schema: () => ({ type: 'string', ...CURRENCY_CODE }),
      rules: [IsIn(CURRENCY_CODES, says(currencyMessage))],
    },
    { optional: true, about: 'Priced in this currency.', example: 'USD' },
  ),
  amountFrom: AtomicText({
    optional: true,
    about: 'At least this amount, in the smallest unit of `currencyCode`, which is then required.',
  }),
  amountTo: AtomicText({
    optional: true,
    about: 'At most this amount, in the smallest unit of `currencyCode`, which is then required.',
  }),
  dateFrom: Instant({ optional: true, about: 'Created at this time or later; with a time zone.' }),
  dateTo: Instant({ optional: true, about: 'Created at this time or earlier; with a time zone.' }),
  search: Text({
    min: 1,
    max: 255,
    optional: true,
    about:
      'A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case.',
  }),
  reviewReason: Choice(REVIEW_REASONS, { optional: true, about: 'With this `reviewReason`.' }),
  late: QueryFlag({
    optional: true,
    about: 'With (`true`) or without (`false`) funds after the rate lock and its grace.',
  }),
  expiredWithFunds: QueryFlag({
    optional: true,
    about:
      'Whose link has expired while funds are there that do not pay it in full (`true`), or all others (`false`).',
  }),
  overpaid: QueryFlag({
    optional: true,
    about: 'With (`true`) or without (`false`) an excess that you have neither given back nor keep.',
  }),
  unmatchedFunds: QueryFlag({
    optional: true,
    about:
      'Only those with (`true`) or without (`false`) funds on another network or in another coin than requested ' +
      'that you have neither accepted nor give back.',
  }),
} as const satisfies Record<keyof PaymentFilters, PropertyDecorator>;

/** @throws ValidationError for an amount without its currency */
export function conditionsOf(userId: string, query: CommonFilters, now: Date): PaymentConditions {
  const { amountFrom = null, amountTo = null, currencyCode = null } = query;
  if (currencyCode === null && (amountFrom !== null || amountTo !== null))
    throw ValidationError.of(
      'currencyCode',
      'The currencyCode field is required with amountFrom and amountTo, which are in its smallest unit.',
    );
  return {
    userId,
    statuses: query.status ?? null,
    blockchain: query.blockchain ?? null,
    method: query.coin?.toLowerCase() ?? null,
    currencyCode,
    amountFrom,
    amountTo,
    dateFrom: query.dateFrom ?? null,
    dateTo: query.dateTo ?? null,
    reviewReason: query.reviewReason ?? null,
    isLate: query.late ?? null,
    isExpiredWithFunds: query.expiredWithFunds ?? null,
    isOverpaid: query.overpaid ?? null,
    hasUnmatchedFunds: query.unmatchedFunds ?? null,
    now,
  };
}
