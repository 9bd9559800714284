import { AmountContract, EXAMPLE_USD_0, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract, enumeration } from '../platform/web/contract/contract.js';
import {
  Choice,
  FieldOf,
  Flag,
  Instant,
  Nested,
  Text,
  TextList,
  Uuid,
} from '../platform/web/contract/fields.js';
import { uuidList } from '../platform/web/contract/choice-list.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import { ConfirmationsContract } from './confirmations.contract.js';
import {
  PAYMENT_ATTENTION,
  type PaymentAttention,
  SITUATIONS,
  type Situation,
  TOLD,
  type Told,
} from './payment-attention.pure.js';
import { type CommonFilters, FILTERS, REVIEW_REASONS } from './payment-filters.js';
import { PaymentListItemContract } from './payment.contract.js';
import type { ReviewReason } from './payment.pure.js';
import type { PaymentStatus } from './payment-status.pure.js';

/** Applications that one request can name; a user has no more than a hundred. */
const MAX_APPLICATIONS = 100;

/** Lists over applications take several of them; see specification/overview.md#filters. */
export const PaymentApplicationIds = () =>
  FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1 }),
      ...uuidList(MAX_APPLICATIONS),
    },
    {
      optional: true,
      about: 'Only of these applications, separated by commas; an unknown one has nothing.',
      example: ['7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69'],
    },
  );

/** Query of GET /api/payment-overview (specification/overview.md#filters). */
export class PaymentOverviewQuery extends CursorQuery implements CommonFilters {
  @PaymentApplicationIds()
  paymentApplicationId?: string[];

  @FILTERS.status
  status?: PaymentStatus[];

  @FILTERS.blockchain
  blockchain?: string;

  @FILTERS.coin
  coin?: string;

  @FILTERS.currencyCode
  currencyCode?: string;

  @FILTERS.amountFrom
  amountFrom?: bigint;

  @FILTERS.amountTo
  amountTo?: bigint;

  @FILTERS.dateFrom
  dateFrom?: Date;

  @FILTERS.dateTo
  dateTo?: Date;

  @FILTERS.reviewReason
  reviewReason?: ReviewReason;

  @FILTERS.late
  late?: boolean;

  @FILTERS.expiredWithFunds
  expiredWithFunds?: boolean;

  @FILTERS.overpaid
  overpaid?: boolean;

  @FILTERS.unmatchedFunds
  unmatchedFunds?: boolean;

  @Text({
    min: 1,
    max: 255,
    optional: true,
    about:
      'A payment id, or the beginning of a reference, a label, an address or a transaction hash, in any letter case. ' +
      'What finds nothing is tried as a person means it: a link of a checkout or an explorer, `#4711`, `Order 4711`, a ' +
      'hash without 0x. While `hasMore` is true, a page of a search that fits more than 1,000 payments may be short, or empty.',
  })
  search?: string;
}

const SITUATION = enumeration(
  'PaymentSituation',
  'awaiting_choice: the customer has not chosen network and coin. awaiting_funds: and nothing was seen yet. link_expired: ' +
    'and nothing came in time. unmatched_funds: something came on another network or in another coin. confirming: funds ' +
    'were seen, see `confirmations`. awaiting_rest: less than the amount is confirmed, see `underpaidAmount`. ' +
    'overpaid_held: more came, see `overpaidAmount`; you accept or refund. telling_shop: paid, and your webhook has not ' +
    'responded yet. shop_not_told: paid, and your webhook has failed so far. paid, cancelled, failed, refunded: ended so.',
  SITUATIONS,
);

export const PAYMENT_ATTENTION_KIND = enumeration(
  'PaymentAttention',
  'integrity: its records were changed outside of the gateway; it is stopped, and no other reason is named. ' +
    'reorg: a reorganization removed funds of a payment that was reported to you as paid. shop_not_told: paid, ' +
    'and your webhook fails. refund_failed: the transaction of a refund has not paid. refund_waits: a refund ' +
    'waits for you to send it. unmatched_funds: funds on another network or in another coin than requested. ' +
    'unlisted_token: the customer names a transaction that sent a token which the gateway does not list. ' +
    'funds_after_end: a closed payment has funds. paid_late: it was paid more than a minute after the end of its link. ' +
    'paid_twice: another payment of this reference is paid, too. overpaid: ' +
    'more than the amount came, and you neither gave it back nor keep it. overpaid_held: the same, and it waits for your ' +
    'decision. late_funds: funds after the rate lock, and the payment is not paid. underpaid: less than the ' +
    'amount.',
  PAYMENT_ATTENTION,
);

const TOLD_STATE = enumeration(
  'ShopTold',
  'About the newest event of the payment. nothing_to_tell: there is none. waiting: no attempt yet. told: your webhook ' +
    'returned 2xx. retrying: it has failed so far. failed: no more attempts. no_endpoint: there is no callback URL. ' +
    'unknown: the delivery is no longer kept.',
  TOLD,
);

/** One row of GET /api/payment-overview (specification/overview.md#payments). */
@Contract('PaymentOverview', 'A payment as a dashboard lists it.')
export class PaymentOverviewContract extends PaymentListItemContract {
  @Uuid({ about: 'Its application.', example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69' })
  paymentApplicationId: string;

  @Text({
    nullable: true,
    about: 'The network that the customer chose last; null: none.',
    example: 'ethereum',
  })
  blockchain: string | null;

  @Text({ nullable: true, about: 'The coin that the customer chose last; null: none.', example: 'USDC' })
  coin: string | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'What the customer was last asked to pay on `blockchain`, in `coin`; null: nothing yet. Its price may have ended.',
    example: EXAMPLE_USDC_100,
  })
  askedAmount: AmountContract | null;

  @Nested(() => AmountContract, { about: 'Confirmed funds, in `currencyCode`.', example: EXAMPLE_USD_0 })
  receivedAmount: AmountContract;

  @Nested(() => AmountContract, { nullable: true, about: 'What is missing; null: nothing.' })
  underpaidAmount: AmountContract | null;

  @Nested(() => AmountContract, { nullable: true, about: 'The excess over the amount; null: none.' })
  overpaidAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'What of the excess you owe the customer: neither refunded, nor promised by a refund, nor kept; null: nothing.',
  })
  owedAmount: AmountContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What of the excess you keep; null: nothing, or you have not decided.',
  })
  keptAmount: AmountContract | null;

  @Instant({
    nullable: true,
    about:
      'When its first money came, if that was after the end of its link and made it paid; it stays when you keep that.',
    example: null,
  })
  paidLateAt: string | null;

  @Nested(() => AmountContract, { nullable: true, about: 'The sum of completed refunds; null: none.' })
  refundedAmount: AmountContract | null;

  @Nested(() => ConfirmationsContract, {
    nullable: true,
    about: 'Of the funds that wait for the most blocks; null: none wait.',
    example: null,
  })
  confirmations: ConfirmationsContract | null;

  @Choice(SITUATION, { about: 'What it waits for, or how it ended.', example: 'paid' })
  happens: Situation;

  @TextList({ of: PAYMENT_ATTENTION_KIND, about: 'Why it needs you, worst first; empty: it does not.' })
  attention: PaymentAttention[];

  @Choice(TOLD_STATE, { about: 'Whether your server knows.', example: 'told' })
  told: Told;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: [...REVIEW_REASONS, null] }) },
    { about: 'As in the payment.', example: null },
  )
  reviewReason: ReviewReason | null;

  @Instant({ about: 'When the link expires.', example: '2026-01-16T10:00:00Z' })
  expiresAt: string;

  @Flag({ about: 'The link has expired.' })
  expired: boolean;
}
