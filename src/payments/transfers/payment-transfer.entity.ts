import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn, integerColumn } from '../../platform/database/column-transformers.js';
import type { AuthenticatedTable } from '../../platform/integrity/authenticated-rows.js';
import type { FinalityTag } from '../../chains/chain.pure.js';
import type { TransferState } from './transfer-state.pure.js';

/** One movement of funds to a deposit address of a payment. */
@Entity('payment_transfers')
export class PaymentTransferEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text', select: false })
  userId: string;

  @Column({ name: 'deposit_address_id', type: 'uuid', select: false })
  depositAddressId: string;

  @Column({ type: 'text' })
  chain: string;

  @Column({ name: 'tx_hash', type: 'text' })
  txHash: string;

  /** Its position in the transaction: log or output index, or the path of a trace. */
  @Column({ type: 'text' })
  ordinal: string;

  @Column({ type: 'text' })
  asset: string;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ name: 'asset_decimals', type: 'smallint' })
  assetDecimals: number;

  /** Smallest unit of the asset. */
  @Column(amountColumn('amount'))
  amount: bigint;

  /** Less than this of the asset is too little to matter; of the time when it was first seen. */
  @Column(amountColumn('floor'))
  floor: bigint;

  /** It and those like it are too little to matter (dust.pure.ts). */
  @Column({ name: 'is_dust', type: 'boolean' })
  isDust: boolean;

  @Column({ type: 'text' })
  state: TransferState;

  @Column({ name: 'block_height', type: 'bigint', transformer: integerColumn, nullable: true })
  blockHeight: number | null;

  @Column({ name: 'block_hash', type: 'text', nullable: true, select: false })
  blockHash: string | null;

  @Column({ name: 'block_time', type: 'timestamptz', nullable: true })
  blockTime: Date | null;

  @Column({ name: 'confirmations_required', type: 'integer' })
  confirmationsRequired: number;

  /** Its block must also have this tag of the chain before it counts; null: the number of blocks is enough. */
  @Column({ name: 'finality_required', type: 'text', nullable: true })
  finalityRequired: FinalityTag | null;

  /** Too large to count by one node's word, and nothing has confirmed it yet (specification/chains.md#agreement). */
  @Column({ name: 'awaits_agreement', type: 'boolean' })
  awaitsAgreement: boolean;

  /** The quote that values it; null while a late transfer waits for its rate. */
  @Column({ name: 'quote_id', type: 'uuid', nullable: true })
  quoteId: string | null;

  /**
   * Its part of what the payment received, in the pricing currency (parts.pure.ts); null: it was never valued. It stays when
   * the network takes the transfer back, and counts for nothing then: read it by creditedBy().
   */
  @Column(amountColumn('credited_amount', { nullable: true }))
  creditedAmount: bigint | null;

  /** False: an asset without a quote for this payment; it does not count. */
  @Column({ name: 'is_matched', type: 'boolean' })
  isMatched: boolean;

  @Column({ name: 'is_late', type: 'boolean' })
  isLate: boolean;

  @Column({ name: 'seen_at', type: 'timestamptz' })
  seenAt: Date;

  @Column({ name: 'confirmed_at', type: 'timestamptz', nullable: true })
  confirmedAt: Date | null;

  /** On UTXO chains, the outpoints that its transaction spends; null elsewhere, and for a coinbase. */
  @Column({ type: 'text', array: true, nullable: true, select: false })
  inputs: string[] | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;

  /** Over {@link PLACE}; null: no block has held it. */
  @Column({ name: 'place_mac', type: 'text', nullable: true, select: false })
  placeMac: string | null;
}

/** What {@link PLACE} covers, and its MAC. */
export const PLACED_FIELDS = [
  'chain',
  'txHash',
  'ordinal',
  'blockHeight',
  'blockHash',
  'state',
  'placeMac',
] as const;
export type PlacedTransfer = Pick<PaymentTransferEntity, (typeof PLACED_FIELDS)[number]>;
/**
 * In which block the gateway has seen it, and whether it was deep enough there. By its identity and not its id, because a
 * transaction that is mined again keeps its row.
 */
export const PLACE = {
  purpose: 'place of payment_transfers',
  fieldsOf: ({ chain, txHash, ordinal, blockHeight, blockHash, state }: Omit<PlacedTransfer, 'placeMac'>) => [
    chain,
    txHash,
    ordinal,
    String(blockHeight),
    blockHash,
    state === 'confirmed' ? 'confirmed' : 'seen',
  ],
};

/** What the transaction did. Its block and state change with the chain, and `ordinal` when its place is given up. */
const AUTHENTICATED = [
  'id',
  'paymentId',
  'userId',
  'depositAddressId',
  'chain',
  'txHash',
  'asset',
  'currencyCode',
  'assetDecimals',
  'amount',
  'floor',
  'isLate',
  'seenAt',
  'inputs',
] as const;

export const PAYMENT_TRANSFERS: AuthenticatedTable<PaymentTransferEntity, (typeof AUTHENTICATED)[number]> = {
  entity: PaymentTransferEntity,
  key: ['id'],
  fields: AUTHENTICATED,
};
