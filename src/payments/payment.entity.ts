import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn } from '../platform/database/column-transformers.js';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';
import type { PaymentStatus } from './payment-status.pure.js';

/** Why a payment needs manual review (specification/payment-states.md#review-reasons). */
export type ReviewReason = 'overpaid' | 'reorg' | 'funds_after_cancel' | 'integrity';

/** A payment as requested, with what follows from its facts. Amounts are in the smallest unit of `currencyCode`. */
@Entity('payments')
export class PaymentEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ type: 'text' })
  status: PaymentStatus;

  /** Number of the newest entry of its history; each move adds one. */
  @Column({ name: 'status_seq', type: 'integer' })
  statusSeq: number;

  @Column({ type: 'text' })
  reference: string;

  @Column({ name: 'reference_label', type: 'text' })
  referenceLabel: string;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ name: 'settlement_currency_code', type: 'text' })
  settlementCurrencyCode: string;

  @Column(amountColumn('amount'))
  amount: bigint;

  @Column({ name: 'redirect_url', type: 'text', nullable: true })
  redirectUrl: string | null;

  @Column({ name: 'blockchain_slug', type: 'text', nullable: true })
  blockchainSlug: string | null;

  @Column({ name: 'product_id', type: 'uuid', nullable: true })
  productId: string | null;

  /** Receives the payment's events instead of the application's URL, unless null. */
  @Column({ name: 'callback_url', type: 'text', nullable: true })
  callbackUrl: string | null;

  /** Free-form data of the merchant. */
  @Column({ type: 'jsonb' })
  metadata: Readonly<Record<string, string>>;

  /** False: it can be paid on test networks only; null: created by a release without test mode. */
  @Column({ type: 'boolean', nullable: true })
  livemode: boolean | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'selected_provider', type: 'text', nullable: true })
  selectedProvider: string | null;

  @Column({ name: 'selected_method', type: 'text', nullable: true })
  selectedMethod: string | null;

  @Column(amountColumn('received_amount'))
  receivedAmount: bigint;

  @Column(amountColumn('overpaid_amount', { nullable: true }))
  overpaidAmount: bigint | null;

  @Column(amountColumn('underpaid_amount', { nullable: true }))
  underpaidAmount: bigint | null;

  /** Smallest unit of `settlementCurrencyCode`. */
  @Column(amountColumn('settled_amount', { nullable: true }))
  settledAmount: bigint | null;

  /** Sum of the completed refunds. */
  @Column(amountColumn('refunded_amount'))
  refundedAmount: bigint;

  @Column({ name: 'found_at', type: 'timestamptz', nullable: true })
  foundAt: Date | null;

  @Column({ name: 'received_at', type: 'timestamptz', nullable: true })
  receivedAt: Date | null;

  @Column({ name: 'confirmed_at', type: 'timestamptz', nullable: true })
  confirmedAt: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  cancelledAt: Date | null;

  /** As the merchant gave it. */
  @Column({ name: 'cancel_reason', type: 'text', nullable: true })
  cancelReason: string | null;

  @Column({ name: 'error_reason', type: 'text', nullable: true })
  errorReason: string | null;

  @Column({ name: 'review_reason', type: 'text', nullable: true })
  reviewReason: ReviewReason | null;

  /** When it was stopped last, because a row of it was not authentic. */
  @Column({ name: 'stopped_at', type: 'timestamptz', nullable: true, select: false })
  stoppedAt: Date | null;

  /** The reason that `integrity` took the place of when it was stopped last, and that comes back. */
  @Column({ name: 'reason_before', type: 'text', nullable: true })
  reasonBefore: ReviewReason | null;

  @Column({ name: 'acknowledged_at', type: 'timestamptz', nullable: true })
  acknowledgedAt: Date | null;

  @Column({ name: 'underpay_accepted_at', type: 'timestamptz', nullable: true })
  underpayAcceptedAt: Date | null;

  /** The confirmed funds at that time; less than that undoes the acceptance. Null exactly where the time is. */
  @Column(amountColumn('underpay_accepted_amount', { nullable: true }))
  underpayAcceptedAmount: bigint | null;

  @Column({ name: 'overpay_accepted_at', type: 'timestamptz', nullable: true })
  overpayAcceptedAt: Date | null;

  /** Of the excess, what the merchant keeps; null: nobody has decided. */
  @Column(amountColumn('kept_amount', { nullable: true }))
  keptAmount: bigint | null;

  /** When the merchant kept what a second payment of one reference has received. */
  @Column({ name: 'twice_kept_at', type: 'timestamptz', nullable: true })
  twiceKeptAt: Date | null;

  /** When its first money came, if that was after the end of its link; set when it is paid (paid-late.pure.ts). */
  @Column({ name: 'paid_late_at', type: 'timestamptz', nullable: true })
  paidLateAt: Date | null;

  /** When the merchant kept what had come so late. */
  @Column({ name: 'late_kept_at', type: 'timestamptz', nullable: true })
  lateKeptAt: Date | null;

  /** It has received funds, and another payment of its application has its reference; written by a trigger. */
  @Column({
    name: 'shares_reference',
    type: 'boolean',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  sharesReference: boolean | null;

  /** When the sweep recomputes it; null: not before its next transfer or block. */
  @Column({ name: 'recheck_at', type: 'timestamptz', nullable: true, select: false })
  recheckAt: Date | null;

  /** When the expiry loop checks it again; null: at `expiresAt`, infinity: never. */
  @Column({ name: 'expiry_check_at', type: 'timestamptz', nullable: true, select: false })
  expiryCheckAt: Date | 'infinity' | null;

  /** The sums that its events have told, as JSON (payment-change.pure.ts); null: a release of before made it. */
  @Column({ type: 'text', nullable: true })
  told: string | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** What was requested. The other columns follow from it, the transfers and the history, or say when to look again. */
const AUTHENTICATED = [
  'id',
  'userId',
  'applicationId',
  'reference',
  'referenceLabel',
  'currencyCode',
  'settlementCurrencyCode',
  'amount',
  'redirectUrl',
  'blockchainSlug',
  'productId',
  'callbackUrl',
  'metadata',
  'livemode',
  'expiresAt',
  'createdAt',
] as const;

export const PAYMENTS: AuthenticatedTable<PaymentEntity, (typeof AUTHENTICATED)[number]> = {
  entity: PaymentEntity,
  key: ['id'],
  fields: AUTHENTICATED,
};
