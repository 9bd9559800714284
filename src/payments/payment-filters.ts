import { CURRENCY_CODES } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { FieldOf, Instant, QueryFlag, Text, Uuid } from '../platform/contract/fields.js';
import { readChoice } from '../platform/contract/rules.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';
import { readStatusList } from './status-list-rule.js';

/** The filters that the list of payments and their export have. */
export interface PaymentFilters {
  paymentApplicationId?: string;
  status?: PaymentStatus[];
  reference?: string;
  currencyCode?: string;
  dateFrom?: Date;
  dateTo?: Date;
  search?: string;
  unmatchedFunds?: boolean;
}

/** Their decorators: two classes have the fields, and neither can extend the other. */
export const FILTERS = {
  paymentApplicationId: Uuid({
    optional: true,
    about: 'Only payments of this application; an unknown one has none.',
    example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69',
  }),
  status: FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', enum: PAYMENT_STATUSES }, minItems: 1 }),
      read: readStatusList,
    },
    {
      optional: true,
      about: 'With one of these statuses, separated by commas.',
      example: ['RECEIVED', 'CONFIRMED'],
    },
  ),
  reference: Text({ min: 1, max: 255, optional: true, about: 'With exactly this reference.' }),
  currencyCode: FieldOf(
    {
      schema: () => ({ type: 'string', minLength: 1, maxLength: 32 }),
      read: (value) => readChoice(value, CURRENCY_CODES, currencyMessage),
    },
    { optional: true, about: 'In this currency.', example: 'USD' },
  ),
  dateFrom: Instant({ optional: true, about: 'Created at this time or later; with a time zone.' }),
  dateTo: Instant({ optional: true, about: 'Created at this time or earlier; with a time zone.' }),
  search: Text({
    min: 1,
    max: 255,
    optional: true,
    about:
      'A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case.',
  }),
  unmatchedFunds: QueryFlag({
    optional: true,
    about:
      'Only those with (`true`) or without (`false`) funds on another network or in another coin than requested ' +
      'that you have neither accepted nor give back.',
  }),
} as const satisfies Record<keyof PaymentFilters, PropertyDecorator>;
