import { TokenContract } from '../chains/token.contract.js';
import { CollectionPsbtContract, EXAMPLE_BITCOIN, FeeRate } from '../collections/collection.contract.js';
import { CollectedAmountContract } from '../collections/treasury-collection.contract.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Flag,
  Nested,
  NestedList,
  Text,
  TextList,
  TextMap,
  Uuid,
} from '../platform/web/contract/fields.js';
import { EXAMPLE_PAYOUT_ADDRESS, EXAMPLE_REFUND_ID, RefundContract } from '../refunds/refund.contract.js';
import { REPORT_REFUSALS, type ReportRefusal } from '../refunds/refund-status.pure.js';
import { PAYOUT_LEFT_OUT, type PayoutLeftOut } from './left-out.pure.js';

/** Refunds of one payout. One Safe transaction of so many tokens takes about 7 million gas. */
export const MAX_REFUNDS = 100;
const UUID_LENGTH = 36;
/** As of a single refund (CompleteRefund). */
const MAX_HASH = 255;

/** Body of POST /api/payment-applications/{id}/payouts. */
@Contract('PreparePayout', 'Which refunds to pay.')
export class PreparePayoutContract {
  @Text({ min: 1, max: 64, about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @TextList({
    optional: true,
    min: 1,
    max: MAX_REFUNDS,
    unique: true,
    item: { format: 'uuid' },
    about:
      'Refunds of the application. Without it, those on the blockchain that are AWAITING_PAYMENT, the oldest first, at ' +
      'most 100. One that is FAILED must be named, because something may have been paid: look at it first.',
    example: [EXAMPLE_REFUND_ID],
  })
  refundIds?: string[];

  @Text({
    optional: true,
    min: 1,
    max: 255,
    about:
      'EVM chains: the address of your wallet or Safe, which the limits of gas are estimated for and the file is named ' +
      'after. Without it, no limits of gas: your wallet estimates them.',
    example: EXAMPLE_PAYOUT_ADDRESS,
  })
  wallet?: string;

  @Text({
    optional: true,
    min: 1,
    max: 4_096,
    about:
      'Bitcoin, Litecoin and Dogecoin: asks for `psbt`, which pays all of them from what came in. The address that gets what is ' +
      'left over. Take one that no payment gets: a change address of your wallet.',
    example: 'bc1q9d4ywgfnd8h43da5tpcxcn6ajv590cg6d3tg6axemvljvt2k76zs50tv4q',
  })
  change?: string;

  @FeeRate()
  feeRate?: bigint;
}

@Contract('TransferCall', 'A transaction that any wallet of the chain can send.')
export class TransferCallContract {
  @Text({ about: 'The recipient, or the contract of the token.', example: EXAMPLE_PAYOUT_ADDRESS })
  to: string;

  @Text({ pattern: '^0x([0-9a-f]{2})*$', about: 'The call; `0x` for the native coin.', example: '0x' })
  data: string;

  @Text({
    pattern: '^0x[0-9a-f]+$',
    about: 'The native coin, in its smallest unit, hexadecimal.',
    example: '0x2386f26fc10000',
  })
  value: string;

  @Count({
    nullable: true,
    about:
      'The limit of gas to send it with: a fifth more than the node estimates. Null: it would fail now (the wallet may not ' +
      'have the money), `wallet` was not sent, or no node says.',
    example: null,
  })
  gasLimit: number | null;
}

@Contract('PayoutItem', 'One refund of a payout.')
export class PayoutItemContract {
  @Uuid({ about: 'The refund.', example: EXAMPLE_REFUND_ID })
  refundId: string;

  @Uuid({ about: 'Its payment.', example: '550e8400-e29b-41d4-a716-446655440000' })
  paymentId: string;

  @Text({ about: 'Your reference of the order.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The address to pay to.', example: EXAMPLE_PAYOUT_ADDRESS })
  address: string;

  @Nested(() => AmountContract, { about: 'How much, in the coin.', example: EXAMPLE_USDC_100 })
  amount: AmountContract;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'Null for the native coin.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;

  @Text({
    nullable: true,
    about:
      'The link for a wallet (EIP-681, BIP 21), also as a QR code; null on Tron, where wallets agree on none. For a token, ' +
      'compare the recipient in the wallet with `address`: several wallets send to the contract of the token instead.',
    example: null,
  })
  paymentUri: string | null;

  @Nested(() => TransferCallContract, {
    nullable: true,
    about:
      'EVM chains: the transaction that pays it. Null elsewhere: enter address and amount in the wallet. On Tron a prepared ' +
      'transaction would be worthless after a minute.',
  })
  call: TransferCallContract | null;
}

@Contract(
  'PayoutPsbt',
  'One transaction, without signatures, that pays all refunds from addresses of one account key.',
)
export class PayoutPsbtContract extends CollectionPsbtContract {
  @Nested(() => AmountContract, {
    nullable: true,
    about: 'What goes to `change`. Null: too little for an output, so that the miner gets it.',
    example: EXAMPLE_BITCOIN,
  })
  change: AmountContract | null;
}

@Contract('PayoutLeftOut', 'A refund that is in no payout.')
export class PayoutLeftOutContract {
  @Uuid({ about: 'The refund.', example: EXAMPLE_REFUND_ID })
  refundId: string;

  @Choice(PAYOUT_LEFT_OUT, {
    about:
      '`unknown`: the application has no such refund. `stopped`: the payment was changed by somebody else and waits for the ' +
      'operator. `other_network`: it is paid on another blockchain. `no_address`: the customer has named none yet. `closed`: ' +
      'cancelled or expired. `reported`: a transaction is recorded for it. `paid_meanwhile`: the rest of an underpayment has ' +
      'come, so that nothing is owed. `coin_unavailable`: the gateway has its coin no more. `wrong_address`: nothing may be ' +
      'sent to its address. `own_address`: its address is one on which payments are received. `too_small`: below what the ' +
      'network relays.',
    example: 'reported',
  })
  reason: PayoutLeftOut;
}

@Contract('Payout', 'What is to be signed. Nothing of it is stored: ask again whenever you like.')
export class PayoutContract {
  @NestedList(() => PayoutItemContract, { max: MAX_REFUNDS, about: 'The refunds, each with what pays it.' })
  refunds: PayoutItemContract[];

  @NestedList(() => CollectedAmountContract, { about: 'What has to be sent in all, by coin; without fees.' })
  sums: CollectedAmountContract[];

  @Text({
    nullable: true,
    about:
      'EVM chains: a file (JSON) for the Transaction Builder of a Safe, which pays all of them with one signature. Null ' +
      'elsewhere, and where nothing is left.',
    example: null,
  })
  safeBatch: string | null;

  @Nested(() => PayoutPsbtContract, {
    nullable: true,
    about:
      'Null without `change`, where nothing is to be paid, and where the coins do not suffice: see `missing`.',
    example: null,
  })
  psbt: PayoutPsbtContract | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about:
      'How much more must be on addresses of one key for the PSBT, at least. Null: nothing is missing, or none was asked for.',
    example: null,
  })
  missing: AmountContract | null;

  @NestedList(() => PayoutLeftOutContract, { about: 'What is not paid by it, with the reason.' })
  leftOut: PayoutLeftOutContract[];

  @Flag({ about: 'More refunds wait on this blockchain: report these, and ask again.' })
  hasMore: boolean;
}

/** Body of POST /api/payment-applications/{id}/payouts/complete. */
@Contract('ReportPayouts', 'The transactions that have paid refunds.')
export class ReportPayoutsContract {
  @TextMap({
    count: MAX_REFUNDS,
    maxKeyLength: UUID_LENGTH,
    maxLength: MAX_HASH,
    about: 'The hash of the transaction, by the id of the refund; the same hash for all that it has paid.',
    example: { [EXAMPLE_REFUND_ID]: `0x${'9f'.repeat(32)}` },
  })
  transactions: Record<string, string>;
}

@Contract('ReportedPayout', 'What became of one refund.')
export class ReportedPayoutContract {
  @Uuid({ about: 'The refund.', example: EXAMPLE_REFUND_ID })
  refundId: string;

  @Choice(REPORT_REFUSALS, {
    nullable: true,
    about:
      'Null: the transaction is recorded and being verified. `unknown`: the application has no such refund. `stopped`: the ' +
      'payment was changed by somebody else and waits for the operator. `no_address`: there was no address to pay to. ' +
      '`closed`: cancelled or expired. `completed`: another transaction has paid it. `not_a_hash`: the text is no hash of a ' +
      'transaction of its blockchain. `taken`: the transaction is that of another account.',
    example: null,
  })
  refusal: ReportRefusal | null;

  @Nested(() => RefundContract, {
    nullable: true,
    about: 'The refund as it is now; null if it is unknown or stopped.',
    example: exampleOf(RefundContract, 'response'),
  })
  refund: RefundContract | null;
}

@Contract('ReportedPayouts', 'What became of each refund, in the order that was sent.')
export class ReportedPayoutsContract {
  @NestedList(() => ReportedPayoutContract, { max: MAX_REFUNDS, about: 'One for each refund.' })
  refunds: ReportedPayoutContract[];
}
