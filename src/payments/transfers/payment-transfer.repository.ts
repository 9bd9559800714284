import { Injectable } from '@nestjs/common';
import { byIds } from '../../platform/database/by-ids.pure.js';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import { PAYMENT_TRANSFERS, PaymentTransferEntity, PLACED_FIELDS } from './payment-transfer.entity.js';
import { isPlaced, placeMac } from './place-macs.js';
import type { CheckedRows, Transfer } from '../payment.pure.js';
import type { TransferState } from './transfer-state.pure.js';

/** The columns of a transfer `t` as it is read, and its {@link CONFIRMATIONS} beside them. */
export const TRANSFER = columnsOf(PaymentTransferEntity, 't');
const STORED = columnsOf(PaymentTransferEntity, 't', [...PAYMENT_TRANSFERS.fields, 'mac']);
const UNSHOWN = columnsOf(PaymentTransferEntity, 't', [
  'userId',
  'depositAddressId',
  'inputs',
  'mac',
  'blockHash',
  'placeMac',
]);
const PLACED = columnsOf(PaymentTransferEntity, 't', ['id', ...PLACED_FIELDS]);
/** Of a transfer `t` and the cursor `c` of its chain. */
// Confirmations count from the newest block that was applied, not from the height that a node reports
// (specification/chains.md#confirmations).
export const CONFIRMATIONS = `case when t.block_height is null then 0
    else greatest(coalesce(c.height, t.block_height) - t.block_height + 1, 1) end::integer as confirmations`;
/** Of a transfer `t`: whether its output was made by a block, which spends none. */
export const IS_COINBASE = `t.inputs is null and t.ordinal like 'vout:%'`;
const LIST = byIds(
  (among) => `
  select ${TRANSFER.list}, ${UNSHOWN.list}, ${CONFIRMATIONS}, ${IS_COINBASE} as is_coinbase
  from payment_transfers t left join chain_cursors c on c.chain = t.chain
  where t.payment_id ${among} order by t.seen_at, t.id`,
);

// One more than the limit shows that there are more.
const PAGE = `
  select ${TRANSFER.list}, ${CONFIRMATIONS}, ${IS_COINBASE} as is_coinbase
  from payment_transfers t left join chain_cursors c on c.chain = t.chain
  where t.payment_id = $1 and (t.seen_at, t.id) < ($2, $3) order by t.seen_at desc, t.id desc limit $4 + 1`;

const NEW_TRANSFER = [
  'id',
  'paymentId',
  'userId',
  'depositAddressId',
  'chain',
  'txHash',
  'ordinal',
  'asset',
  'currencyCode',
  'assetDecimals',
  'amount',
  'floor',
  'isDust',
  'state',
  'blockHeight',
  'blockHash',
  'blockTime',
  'confirmationsRequired',
  'finalityRequired',
  'quoteId',
  'creditedAmount',
  'isMatched',
  'isLate',
  'seenAt',
  'inputs',
  'awaitsAgreement',
] as const;
export type NewTransfer = Pick<PaymentTransferEntity, (typeof NEW_TRANSFER)[number]>;

// Applying a block again changes nothing; a transaction that is mined again keeps its row, its time and its quote, and
// with them its MAC.
const RECORD_MINED = bulkInsert(
  PaymentTransferEntity,
  [...NEW_TRANSFER, 'mac', 'placeMac'],
  `on conflict (chain, tx_hash, ordinal) do update
    set state = 'pending', block_height = excluded.block_height, block_hash = excluded.block_hash,
      place_mac = excluded.place_mac, block_time = excluded.block_time, confirmed_at = null, awaits_agreement = excluded.awaits_agreement
    where payment_transfers.block_hash is distinct from excluded.block_hash`,
);
// What the mempool shows never overrides a block; a transfer that was given up waits again.
const RECORD_SIGHTED = bulkInsert(
  PaymentTransferEntity,
  [...NEW_TRANSFER, 'mac'],
  `on conflict (chain, tx_hash, ordinal) do update set state = 'pending'
    where payment_transfers.block_height is null and payment_transfers.state <> 'pending'`,
);

const SPENDING = columnsOf(PaymentTransferEntity, 't', ['paymentId', 'txHash', 'inputs']);
/** A transfer that no block holds yet, and the outpoints that its transaction spends. */
export type SpendingTransfer = Pick<PaymentTransferEntity, 'paymentId' | 'txHash' | 'inputs'>;
const UNMINED_SPENDING = `
  select distinct ${SPENDING.list} from payment_transfers t
  where t.chain = $1 and t.state = 'pending' and t.block_height is null and t.inputs is not null`;

const OF_UNMINED = `chain = $1 and tx_hash = any($2::text[]) and state = 'pending' and block_height is null`;
const PAYMENTS_OF_UNMINED = `select distinct payment_id as "paymentId" from payment_transfers where ${OF_UNMINED}`;
const SET_STATE_OF_UNMINED = `
  update payment_transfers set state = $3 where ${OF_UNMINED} and payment_id = any($4::uuid[])`;
const UNMINED_HASHES = `
  select distinct tx_hash as "txHash" from payment_transfers
  where chain = $1 and state = 'pending' and block_height is null limit 500`;

const EFFECT = columnsOf(PaymentTransferEntity, 't', [
  'id',
  'paymentId',
  'txHash',
  'ordinal',
  'asset',
  'amount',
  'depositAddressId',
]);
/** What a transaction did to one of our addresses. */
export type TransferEffect = Pick<
  PaymentTransferEntity,
  'id' | 'paymentId' | 'txHash' | 'ordinal' | 'asset' | 'amount' | 'depositAddressId'
>;
const OUTSIDE_BLOCKS = `
  select ${EFFECT.list} from payment_transfers t
  where t.chain = $1 and t.tx_hash = any($2::text[]) and t.block_height is null and position('~' in t.ordinal) = 0`;
const MINED = columnsOf(PaymentTransferEntity, 't', ['txHash', 'ordinal', 'blockHash']);
/** The identity of a recorded transfer, and its block. */
export type MinedIdentity = Pick<PaymentTransferEntity, 'txHash' | 'ordinal' | 'blockHash'>;
const IN_BLOCKS = `
  select ${MINED.list} from payment_transfers t
  where t.chain = $1 and t.tx_hash = any($2::text[]) and t.block_height is not null`;
const HAS_LIVE = `
  select from payment_transfers
  where payment_id = $1 and chain = $2 and tx_hash = $3 and state in ('pending', 'confirmed') limit 1`;
const RELEASE_ORDINALS = `
  update payment_transfers set state = 'orphaned', ordinal = ordinal || '~' || id where id = any($1::uuid[])`;

const PRICE_LATE = namedStatement<{ paymentId: string; quoteId: string; chain: string; asset: string }>(`
  update payment_transfers set quote_id = :quoteId
  where payment_id = :paymentId and chain = :chain and asset = :asset and is_matched and quote_id is null`);
const JUDGE = `
  update payment_transfers t set is_dust = row.is_dust, credited_amount = row.credited_amount
  from unnest($1::uuid[], $2::boolean[], $3::numeric[]) as row (id, is_dust, credited_amount) where t.id = row.id`;
/** Payments with transfers that a process of the release before has recorded, which allots no parts. */
// One that is not authentic is allotted none, and has a time of its own.
export const UNALLOTTED = `
  select payment_id from payment_transfers t
  where credited_amount is null and quote_id is not null and state in ('pending', 'confirmed')
    and not exists (select from payments p where p.id = t.payment_id and p.review_reason = 'integrity')
  group by payment_id`;
const MATCH = `update payment_transfers set is_matched = true, quote_id = $2 where id = $1 and not is_matched`;

/**
 * Transfers of payments: recorded as they were seen on a chain, and never deleted. Every method is one statement that is
 * sent at once, in the caller's transaction, so that several can share a round trip ({@link Sql}).
 */
@Injectable()
export class PaymentTransferRepository {
  private readonly authenticated: AuthenticatedRows<
    PaymentTransferEntity,
    (typeof PAYMENT_TRANSFERS.fields)[number]
  >;

  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(PAYMENT_TRANSFERS);
  }

  /** Whether a transaction pays a payment, as far as is recorded and not given up. */
  async hasLive(paymentId: string, chain: string, txHash: string): Promise<boolean> {
    return (await this.sql.query(HAS_LIVE, [paymentId, chain, txHash])).length > 0;
  }

  /** The transfers of some payments with their confirmations, in the order in which they were seen. */
  async listByPayments(
    paymentIds: readonly string[],
  ): Promise<CheckedRows<Transfer & { paymentId: string }>> {
    const rows = await this.sql.query<TransferRow>(...LIST(paymentIds));
    const unauthentic = this.authenticated.unauthentic(rows.map(STORED.toEntity));
    const misplaced = rows.map(PLACED.toEntity).filter((row) => !isPlaced(this.keyring, row));
    for (const { id } of misplaced) this.authenticated.reportMissing(id, 'place');
    return {
      rows: rows.map(toTransfer),
      unauthentic: new Set([...unauthentic, ...misplaced].map(({ id }) => id)),
    };
  }

  /** Transfers before a place, newest first, and one more than the limit if there are more. */
  async listBefore(paymentId: string, after: { at: Date; id: string }, limit: number): Promise<Transfer[]> {
    return (await this.sql.query<TransferRow>(PAGE, [paymentId, after.at, after.id, limit])).map(toTransfer);
  }

  async recordMined(transfers: readonly NewTransfer[]): Promise<void> {
    const rows = this.withMacs(transfers).map((row) => ({ ...row, placeMac: placeMac(this.keyring, row) }));
    await this.sql.query(RECORD_MINED.text, RECORD_MINED.values(rows));
  }

  /** Records transfers that wait in a mempool. */
  async recordSighted(transfers: readonly NewTransfer[]): Promise<void> {
    await this.sql.query(RECORD_SIGHTED.text, RECORD_SIGHTED.values(this.withMacs(transfers)));
  }

  /** Pending transfers of a UTXO chain that no block holds, with what they spend. */
  async listUnminedSpending(chain: string): Promise<SpendingTransfer[]> {
    return (await this.sql.query<object>(UNMINED_SPENDING, [chain])).map(SPENDING.toEntity);
  }

  /** Hashes of at most 500 transactions with pending transfers that no block holds. */
  async listUnminedHashes(chain: string): Promise<string[]> {
    const rows = await this.sql.query<{ txHash: string }>(UNMINED_HASHES, [chain]);
    return rows.map(({ txHash }) => txHash);
  }

  /** Ids of payments with pending transfers of these transactions that no block holds. */
  async listPaymentsOfUnmined(chain: string, txHashes: readonly string[]): Promise<string[]> {
    const rows = await this.sql.query<{ paymentId: string }>(PAYMENTS_OF_UNMINED, [chain, txHashes]);
    return rows.map(({ paymentId }) => paymentId);
  }

  /** Gives up the pending transfers of these transactions and payments that no block holds. */
  async giveUpUnmined(
    chain: string,
    txHashes: readonly string[],
    state: Exclude<TransferState, 'pending' | 'confirmed'>,
    paymentIds: readonly string[],
  ): Promise<void> {
    await this.sql.query(SET_STATE_OF_UNMINED, [chain, txHashes, state, paymentIds]);
  }

  /** Transfers of these transactions that no block holds, whatever their state. */
  async listOutsideBlocks(chain: string, txHashes: readonly string[]): Promise<TransferEffect[]> {
    return (await this.sql.query<object>(OUTSIDE_BLOCKS, [chain, txHashes])).map(EFFECT.toEntity);
  }

  /** Transfers of these transactions that are recorded in a block. */
  async listInBlocks(chain: string, txHashes: readonly string[]): Promise<MinedIdentity[]> {
    return (await this.sql.query<object>(IN_BLOCKS, [chain, txHashes])).map(MINED.toEntity);
  }

  /**
   * Orphans transfers and frees their place in the transaction, which belongs to what the transaction does now
   * (payment_transfers.ordinal in migrations/0001-baseline/transfers.sql).
   */
  async releaseOrdinals(transferIds: readonly string[]): Promise<void> {
    await this.sql.query(RELEASE_ORDINALS, [transferIds]);
  }

  /** Values the late transfers of a payment in one asset that have no quote yet. */
  async priceLate(of: { paymentId: string; quoteId: string; chain: string; asset: string }): Promise<void> {
    await this.sql.query(PRICE_LATE.text, PRICE_LATE.values(of));
  }

  /** Writes what follows from all transfers of a payment. */
  async judge(transfers: readonly Pick<Transfer, 'id' | 'isDust' | 'creditedAmount'>[]): Promise<void> {
    await this.sql.query(JUDGE, [
      transfers.map(({ id }) => id),
      transfers.map(({ isDust }) => isDust),
      transfers.map(({ creditedAmount }) => creditedAmount),
    ]);
  }

  /** Makes an unmatched transfer count, at the value of a quote. */
  async match(transferId: string, quoteId: string): Promise<void> {
    await this.sql.query(MATCH, [transferId, quoteId]);
  }

  private withMacs(transfers: readonly NewTransfer[]) {
    return transfers.map((transfer) => ({ ...transfer, mac: this.authenticated.mac(transfer) }));
  }
}

export interface TransferRow {
  confirmations: number;
  is_coinbase: boolean;
  sumOf?: number | null;
}

export function toTransfer(row: TransferRow): Transfer & { paymentId: string } {
  return {
    ...TRANSFER.toEntity(row),
    confirmations: row.confirmations,
    isCoinbase: row.is_coinbase,
    sumOf: row.sumOf ?? null,
  };
}
