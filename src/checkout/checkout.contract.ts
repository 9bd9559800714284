import { AmountContract, EXAMPLE_USD_0 } from '../money/amount.contract.js';
import { EXAMPLE_PAYMENT_ID, PAYMENT_STATUS, TransactionContract } from '../payments/payment.contract.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';
import { REPORTED_STATES, type ReportedState } from '../payments/transfers/reported-transaction.pure.js';
import { ReturnableFundsContract } from '../refunds/refund-request.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Flag,
  HttpUrl,
  Instant,
  Nested,
  NestedList,
  Text,
  TextList,
  Uuid,
} from '../platform/web/contract/fields.js';
import { BLOCKCHAIN_SLUG } from '../platform/web/contract/json-schema.js';
import { SUPPORT_URL_PATTERN } from '../applications/branding/support-url.pure.js';

/** Confirmation progress of a payment's funds (specification/checkout.md#status). */
@Contract(
  'PaymentConfirmations',
  'Confirmations of the funds: of the transfer that has the most blocks still to wait for.',
)
export class PaymentConfirmationsContract {
  @Count({
    about: 'Blocks so far, at most `required`; the last one is shown when the funds count.',
    example: 0,
  })
  seen: number;

  @Count({
    about: 'Blocks after which funds count. Large amounts may need more than small ones.',
    example: 12,
  })
  required: number;

  @Choice(['safe', 'finalized'], {
    nullable: true,
    about:
      'The tag of the chain that the block of the funds must have before they count; `required` is then the usual wait. Null: the number of blocks is enough.',
    example: null,
  })
  finality: 'safe' | 'finalized' | null;

  @Count({
    nullable: true,
    about:
      'Estimated seconds until the funds count, from the recent block interval; 0 when they do. Null if nothing was ' +
      'seen yet, the network is delayed, or a block takes longer than usual to become final.',
  })
  estimatedSecondsRemaining: number | null;

  @Flag({
    about:
      'The blockchain is not followed as usual: its node does not respond, or no block has arrived for too long. Funds ' +
      'are seen and confirmed late, and there is no estimate. False once they count.',
  })
  delayed: boolean;

  @Instant({
    nullable: true,
    about: 'Since when the blockchain is not followed as usual; null: it is, or nobody knows.',
    example: null,
  })
  delayedSince: string | null;

  @Instant({
    nullable: true,
    about:
      'When the newest block came. Only while funds wait for one, and where blocks are a minute or more apart; else null.',
    example: null,
  })
  newestBlockAt: string | null;

  @Count({
    nullable: true,
    about: 'Seconds within which the next block usually comes; null as `newestBlockAt`.',
    example: null,
  })
  nextBlockWithin: number | null;
}

@Contract('SelectedMethod', 'A payment method.')
export class SelectedMethodContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  provider: string;

  @Text({ about: 'The code of the cryptocurrency in lower case.', example: 'usdc' })
  method: string;
}

@Contract('MerchantSettings', 'The shop, as customers see it.')
export class MerchantSettingsContract {
  @Text({ about: 'Its name.', example: 'My Store' })
  title: string;

  @HttpUrl({ nullable: true, about: 'Its website.', example: 'https://mystore.example' })
  url: string | null;

  @Text({ format: 'uri', nullable: true, about: 'Its logo.' })
  image: string | null;

  @Text({
    pattern: SUPPORT_URL_PATTERN,
    nullable: true,
    about: 'Where customers get help: http(s) or mailto.',
    example: 'https://mystore.example/help',
  })
  supportUrl: string | null;

  @Text({ nullable: true, about: 'Its color, `#rrggbb`.', example: '#1747d1' })
  accent: string | null;

  @Flag({ about: 'The shop accepts more than the amount.', example: true })
  allowOverpay: boolean;

  @Flag({ about: 'The shop may accept less than the amount.' })
  allowUnderpay: boolean;

  @TextList({
    about: 'The accepted cryptocurrencies; empty: all that the gateway has.',
    example: ['ETH', 'USDC'],
  })
  currencyWhitelist: string[];
}

const EXAMPLE_TX_HASH = `0x${'5c'.repeat(32)}`;

/** Body of the report of a transaction (specification/checkout.md#already-paid). */
@Contract('ReportTransaction', 'A transaction that should have paid the payment.')
export class ReportTransactionContract {
  @Text({
    max: 500,
    about: 'The id of the transaction, or a link to it in a block explorer.',
    example: EXAMPLE_TX_HASH,
  })
  txHash: string;

  @Text({
    optional: true,
    max: 40,
    bounds: { ...BLOCKCHAIN_SLUG, maxLength: 40 },
    about:
      'The slug of its blockchain. Without it, the selected one, or another on which the payment has an address if the id has the form of that one.',
    example: 'ethereum',
  })
  provider?: string;
}

/** How far the search for a transaction is (specification/checkout.md#already-paid). */
@Contract('ReportedTransaction', 'A transaction that the customer reported as sent.')
export class ReportedTransactionContract {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  provider: string;

  @Text({ about: 'The id of the transaction, as its blockchain spells it.', example: EXAMPLE_TX_HASH })
  txHash: string;

  @Choice(REPORTED_STATES, {
    about:
      '`SEARCHING`: not asked for yet. `UNKNOWN`: the blockchain does not know it, and is asked again for a day. `WAITING`: known, and recorded once its block has been read. `FOUND`: recorded for this payment. `FAILED`: it transferred nothing. `OTHER_ADDRESS`: it pays nothing to the address of this payment. `UNLISTED_TOKEN`: it sent a token that the gateway does not list to it. `NOT_FOUND`: the search has ended.',
    example: 'SEARCHING',
  })
  state: ReportedState;

  @Instant({ about: 'When it was reported last.', example: '2026-01-15T10:20:00Z' })
  reportedAt: string;
}

/**
 * What a customer may see of a payment (specification/checkout.md#status): never the owner, the callback URL or the
 * client id.
 */
@Contract('CheckoutStatus', 'The public part of a payment.')
export class CheckoutStatusContract {
  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  id: string;

  @Choice(PAYMENT_STATUS)
  status: PaymentStatus;

  @Text({ about: 'The reference of the shop.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The reference as customers see it.', example: 'Order #123' })
  referenceLabel: string;

  @Text({ about: 'The currency of the amounts.', example: 'USD' })
  currencyCode: string;

  @Nested(() => AmountContract)
  amount: AmountContract;

  @Nested(() => AmountContract, { about: 'Confirmed funds.', example: EXAMPLE_USD_0 })
  receivedAmount: AmountContract;

  @Nested(() => AmountContract, { about: 'The amount still to pay; unconfirmed funds count as paid.' })
  remainingAmount: AmountContract;

  @Instant({ about: 'When the link expires.', example: '2026-03-15T12:00:00Z' })
  expiresAt: string;

  @Flag({ about: 'The link has expired.' })
  expired: boolean;

  @Text({
    format: 'uri',
    nullable: true,
    about: 'The signed link of the printable receipt; null before the payment is RECEIVED.',
  })
  receiptUrl: string | null;

  @HttpUrl({
    nullable: true,
    about: 'Where the customer returns to.',
    example: 'https://mystore.example/thanks',
  })
  redirectUrl: string | null;

  @Instant({
    about: 'The current time of the gateway; not part of the `ETag`.',
    example: '2026-01-15T10:02:00Z',
  })
  serverTime: string;

  @Nested(() => SelectedMethodContract, {
    nullable: true,
    about: 'The method that the customer chose last; null: none yet.',
    example: exampleOf(SelectedMethodContract, 'response'),
  })
  selectedMethod: SelectedMethodContract | null;

  @NestedList(() => TransactionContract, {
    about:
      'Funds on another network or in another coin than requested, which do not count unless the shop accepts them.',
    example: [],
  })
  unmatchedTransactions: TransactionContract[];

  @NestedList(() => ReportedTransactionContract, {
    about: 'Transactions that the customer reported as sent, oldest first; at most 10.',
    example: [],
  })
  reportedTransactions: ReportedTransactionContract[];
  @NestedList(() => ReturnableFundsContract, {
    about:
      'What the customer can ask back by `POST /api/checkout/payment/{paymentId}/refund-request`, and what became of it: ' +
      'never the price of the payment.',
    example: [],
  })
  returnable: ReturnableFundsContract[];

  @TextList({ about: 'Warnings to show to the customer, e.g. about unmatched funds; in English.' })
  warnings: string[];

  @Nested(() => PaymentConfirmationsContract, {
    nullable: true,
    about: 'On the blockchain where the funds are, or else on the selected one; null: none is selected.',
    example: exampleOf(PaymentConfirmationsContract, 'response'),
  })
  confirmations: PaymentConfirmationsContract | null;

  @Nested(() => MerchantSettingsContract)
  merchantSettings: MerchantSettingsContract;
}
