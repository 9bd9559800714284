import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn } from '../../platform/database/column-transformers.js';
import type { AuthenticatedTable } from '../../platform/integrity/authenticated-rows.js';

/** A rate lock: `assetAmount` units of the asset pay the payment in full until `expiresAt`. */
@Entity('quotes')
export class QuoteEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text', select: false })
  userId: string;

  @Column({ type: 'text' })
  chain: string;

  /** 'native' or the token contract in lower case. */
  @Column({ type: 'text' })
  asset: string;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ name: 'asset_decimals', type: 'smallint' })
  assetDecimals: number;

  /** Amount of the payment, in the smallest unit of its currency. */
  @Column(amountColumn('priced_amount', { select: false }))
  pricedAmount: bigint;

  @Column(amountColumn('asset_amount'))
  assetAmount: bigint;

  /** Pricing currency for one whole coin, decimal text. */
  @Column({ type: 'text' })
  rate: string;

  @Column({ name: 'rate_source', type: 'text' })
  rateSource: string;

  /** The prices that the rate was computed from. */
  @Column({ name: 'rate_inputs', type: 'jsonb', select: false })
  rateInputs: unknown;

  @Column({ name: 'settlement_rate', type: 'text', nullable: true })
  settlementRate: string | null;

  @Column({ name: 'is_late', type: 'boolean' })
  isLate: boolean;

  @Column({ name: 'locked_at', type: 'timestamptz' })
  lockedAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** The only transfer that it values, accepted by the merchant at `lockedAt`; null: an ordinary rate lock. */
  @Column({ name: 'accepted_transfer_id', type: 'uuid', nullable: true })
  acceptedTransferId: string | null;

  /** User who accepted it. */
  @Column({ name: 'accepted_by', type: 'text', nullable: true, select: false })
  acceptedBy: string | null;

  /** Client token with which it was accepted; null: with an OAuth2 token. */
  @Column({ name: 'accepted_token_id', type: 'uuid', nullable: true, select: false })
  acceptedTokenId: string | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** Everything: a quote is never changed. */
const AUTHENTICATED = [
  'id',
  'paymentId',
  'userId',
  'chain',
  'asset',
  'currencyCode',
  'assetDecimals',
  'pricedAmount',
  'assetAmount',
  'rate',
  'rateSource',
  'rateInputs',
  'settlementRate',
  'isLate',
  'lockedAt',
  'expiresAt',
  'acceptedTransferId',
  'acceptedBy',
  'acceptedTokenId',
] as const;

export const QUOTES: AuthenticatedTable<QuoteEntity, (typeof AUTHENTICATED)[number]> = {
  entity: QuoteEntity,
  key: ['id'],
  fields: AUTHENTICATED,
};
