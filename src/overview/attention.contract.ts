import { AddressGapContract } from '../wallets/earlier-use/earlier-use.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { EXAMPLE_PAYMENT_ID, PaymentListItemContract } from '../payments/payment.contract.js';
import { PaymentApplicationIds } from '../payments/payment-overview.contract.js';
import { Contract, enumeration, exampleOf } from '../platform/web/contract/contract.js';
import { choiceList } from '../platform/web/contract/choice-list.js';
import {
  Choice,
  Count,
  FieldOf,
  Instant,
  Nested,
  NestedList,
  Text,
  Uuid,
} from '../platform/web/contract/fields.js';
import { CursorField, LimitQuery } from '../platform/web/http/cursor-query.js';
import {
  ATTENTION_KINDS,
  type AttentionKind,
  type AttentionPlace,
  parseAttentionPlace,
} from './attention.pure.js';

/** Query of GET /api/attention/counts. */
export class AttentionCountsQuery {
  @PaymentApplicationIds()
  paymentApplicationId?: string[];
}

/** Query of GET /api/attention (specification/overview.md#attention). */
export class AttentionQuery extends LimitQuery {
  @CursorField(parseAttentionPlace, {
    optional: true,
    about: '`meta.cursor.next` of the page before, with the same filters; without it, from the worst.',
  })
  after?: AttentionPlace;

  @FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', enum: ATTENTION_KINDS }, minItems: 1 }),
      ...choiceList(ATTENTION_KINDS),
    },
    { optional: true, about: 'Only of these kinds, separated by commas.', example: ['reorg'] },
  )
  kind?: AttentionKind[];

  @PaymentApplicationIds()
  paymentApplicationId?: string[];
}

const KIND = enumeration(
  'AttentionKind',
  'Worst first. key_shared: another program hands out addresses of your key. integrity, reorg, shop_not_told, refund_failed, refund_waits, unmatched_funds, unlisted_token, funds_after_end, paid_late, ' +
    'paid_twice, overpaid, overpaid_held, late_funds and underpaid are those of PaymentAttention. endpoint_paused: your server gets no webhooks. ' +
    'chain_halted: the gateway does not see payments on a network now. traces_unread: what contracts paid in some blocks of ' +
    'a network is not known yet; it is credited once it is. gap_limit: so many addresses of a key in a row were not paid that ' +
    'your wallet program may not show what is paid next.',
  ATTENTION_KINDS,
);

@Contract('AttentionAction', 'Something that can be done, as a request of this API.')
export class AttentionActionContract {
  @Text({
    about:
      'resume, test, redeliver, accept, accept_transfer, refund, keep, record_transaction, set_address, cancel_refund, timeline, payment, wallets or blockchain.',
    example: 'accept',
  })
  name: string;

  @Choice(['GET', 'POST'], { about: 'The method of the request.', example: 'POST' })
  method: 'GET' | 'POST';

  @Text({ about: 'The path of the request.', example: `/api/payment/${EXAMPLE_PAYMENT_ID}/accept` })
  path: string;
}

@Contract('AttentionCoin', 'What an item is about, in one coin on one network.')
export class AttentionCoinContract {
  @Text({ about: 'The network.', example: 'ethereum' })
  blockchain: string;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What was asked for in this coin; null: it never was.',
    example: EXAMPLE_USDC_100,
  })
  asked: AmountContract | null;

  @Nested(() => AmountContract, {
    about: 'What came; of `unmatched_funds` confirmed or not.',
    example: EXAMPLE_USDC_100,
  })
  received: AmountContract;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'What a refund of the excess would pay out in this coin, in which most came; null: in another, or nothing.',
  })
  excess: AmountContract | null;
}

@Contract('UnlistedToken', 'A token that the gateway does not list, sent to the address of the payment.')
export class UnlistedTokenContract {
  @Text({ about: 'The network.', example: 'ethereum' })
  blockchain: string;

  @Text({
    about: 'Its contract. Its name is chosen by whoever made it, and is not read.',
    example: `0x${'ab'.repeat(20)}`,
  })
  contract: string;

  @Text({ about: 'How many of its smallest units came, as the contract says.', example: '25000000' })
  amount: string;

  @Text({ about: 'The transaction.', example: `0x${'ab'.repeat(32)}` })
  txHash: string;
}

@Contract('StrayReceipt', 'Money at an address of your key that no payment has.')
export class StrayReceiptContract {
  @Text({ about: 'The network.', example: 'bitcoin' })
  blockchain: string;

  @Text({ about: 'The address.', example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' })
  address: string;

  @Count({ about: 'Its index below the key; the gateway went on after it.', example: 14 })
  derivationIndex: number;

  @Nested(() => AmountContract, { about: 'What came.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Text({ about: 'The transaction.', example: 'ab'.repeat(32) })
  txHash: string;

  @Instant({ about: 'When it was seen.', example: '2026-01-15T10:04:12Z' })
  seenAt: string;
}

@Contract('AttentionSums', 'What was asked, what came, and what is too much.')
export class AttentionSumsContract {
  @Nested(() => AmountContract, { about: 'The price.' })
  asked: AmountContract;

  @Nested(() => AmountContract, { about: 'Confirmed funds, in the currency of the price.' })
  received: AmountContract;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What of it is too much and in no refund yet: the `amount` of a refund. Null: nothing.',
  })
  excess: AmountContract | null;

  @NestedList(() => AttentionCoinContract, { about: 'The same in each coin that came.' })
  coins: AttentionCoinContract[];
}

@Contract('AttentionWallet', 'A key whose unpaid addresses reach further than your wallet program looks.')
export class AttentionWalletContract {
  @Text({ about: 'The family of the key.', example: 'bitcoin' })
  family: string;

  @Nested(() => AddressGapContract, { about: 'How far the program must look ahead.' })
  addressGap: AddressGapContract;
}

/** One row of GET /api/attention. */
@Contract('AttentionItem', 'Something that needs you.')
export class AttentionItemContract {
  @Choice(KIND, { about: 'Why.', example: 'underpaid' })
  kind: AttentionKind;

  @Instant({ about: 'Since when, as far as is known.', example: '2026-01-15T10:04:12Z' })
  since: string;

  @Uuid({
    nullable: true,
    about: 'Its application; null: it is about a network, or a key of the whole account.',
  })
  paymentApplicationId: string | null;

  @Nested(() => PaymentListItemContract, {
    nullable: true,
    about: 'The payment; null: it is about a network, a key or an endpoint.',
    example: { ...exampleOf(PaymentListItemContract, 'response'), status: 'UNDERPAID' },
  })
  payment: PaymentListItemContract | null;

  @Uuid({
    nullable: true,
    about: 'Of `paid_twice`, the other payment of the same reference, which is paid as well.',
    example: null,
  })
  otherPaymentId: string | null;

  @Instant({
    nullable: true,
    about:
      'Of `paid_late`, when the link had ended: the order is of `payment.date`, and its money came at `since`.',
    example: null,
  })
  endedAt: string | null;

  @Uuid({ nullable: true, about: 'The refund of `refund_failed` and `refund_waits`.', example: null })
  refundId: string | null;

  @Text({ nullable: true, about: 'The network of `chain_halted` and `traces_unread`.', example: null })
  blockchain: string | null;

  @Nested(() => AttentionSumsContract, {
    nullable: true,
    about:
      'What was asked, what came, and what is too much; null: it is not about a payment, or its records cannot be trusted.',
  })
  sums: AttentionSumsContract | null;

  @NestedList(() => UnlistedTokenContract, {
    about: 'Of `unlisted_token`, at most ten: those that the customer has named. Your own wallet holds them.',
  })
  tokens: UnlistedTokenContract[];

  @NestedList(() => StrayReceiptContract, {
    about:
      'Of `key_shared`, the newest ten. Whoever was paid there is somebody else, or you by another program: no payment is ' +
      'credited.',
  })
  strays: StrayReceiptContract[];

  @Nested(() => AttentionWalletContract, {
    nullable: true,
    about: 'Of `gap_limit`, the key; `PUT …/wallets/{family}/gap-limit` settles it.',
    example: null,
  })
  wallet: AttentionWalletContract | null;

  @NestedList(() => AttentionActionContract, { about: 'What you can do, the right one first.' })
  actions: AttentionActionContract[];
}

@Contract('AttentionCount', 'How much of one kind needs you.')
export class AttentionCountContract {
  @Choice(KIND, { about: 'Why.', example: 'underpaid' })
  kind: AttentionKind;

  @Count({ max: 1_000, about: 'How many; it stops at 1,000.', example: 3 })
  count: number;
}
