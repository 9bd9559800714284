import { Injectable } from '@nestjs/common';
import { tableOf } from '../../platform/database/entity-table.js';
import { Sql } from '../../platform/database/sql.js';
import { currentUnitOfWork } from '../../platform/database/unit-of-work.js';
import { PaymentTransferEntity } from './payment-transfer.entity.js';
import {
  CONFIRMATIONS,
  IS_COINBASE,
  PaymentTransferRepository,
  toTransfer,
  TRANSFER,
  type TransferRow,
} from './payment-transfer.repository.js';
import type { CheckedRows, Transfer } from '../payment.pure.js';
import { MAX_LISTED } from './transfer-listing.pure.js';

/** What sums have in the columns that differ between transfers of one kind; the others are what makes them one kind. */
const SUMMED: Readonly<Record<string, string>> = {
  id: 'min(t.id::text)::uuid',
  tx_hash: `''`,
  ordinal: `''`,
  amount: 'sum(t.amount)',
  credited_amount: 'sum(t.credited_amount)',
  // The newest block, whose transfer has the most to wait.
  block_height: 'max(t.block_height)',
  seen_at: 'min(t.seen_at)',
  block_time: 'min(t.block_time)',
  confirmed_at: 'max(t.confirmed_at)',
};
const SHOWN = [...tableOf(PaymentTransferEntity).columns.values()]
  .filter(({ isSelected }) => isSelected)
  .map(({ name }) => name);
const KIND = SHOWN.filter((name) => !(name in SUMMED)).map((name) => `t.${name}`);
// Chooses as splitListed() does. What is not listed is added up here: 18,000 transfers of one unit are read as one row.
const LIST_SUMMED = `
  with listed as materialized (
    select r.id from (
      select t.id, t.chain, t.asset, row_number() over (partition by t.chain, t.asset
        order by t.state in ('pending', 'confirmed') desc, t.amount desc, t.seen_at, t.id) as rank
      from payment_transfers t where t.payment_id = $1
    ) r order by r.rank, r.chain collate "C", r.asset collate "C" limit ${MAX_LISTED}
  ), shown as (
    select ${SHOWN.map((name) => `t.${name}`).join(', ')}, null::integer as sum_of,
      ${IS_COINBASE} as is_coinbase
    from payment_transfers t where t.payment_id = $1 and t.id in (select id from listed)
    union all
    select ${SHOWN.map((name) => `${SUMMED[name] ?? `t.${name}`} as ${name}`).join(', ')}, count(*)::integer, false
    from payment_transfers t where t.payment_id = $1 and t.id not in (select id from listed)
    group by ${KIND.join(', ')}, t.block_height is null
  )
  select ${TRANSFER.list}, t.sum_of as "sumOf", t.is_coinbase, ${CONFIRMATIONS}
  from shown t left join chain_cursors c on c.chain = t.chain
  order by t.seen_at, t.id`;
const HEIGHTS = `select chain, height::integer as height from chain_cursors where chain = any($1::text[])`;

/** Of payments `p`; with an order, counting ends after so many transfers instead of looking up all of them. */
export const TRANSFER_COUNT = `
  (select count(*)::integer from (
    select from payment_transfers t where t.payment_id = p.id
      order by t.seen_at limit ${MAX_LISTED + 1}) as counted) as "transferCount"`;
/** A payment with its {@link TRANSFER_COUNT}. */
export interface CountedTransfers {
  id: string;
  /** Another one after every change of the row, and with it of the transfers. */
  version: string;
  /** Up to one more than are listed one by one. */
  transferCount: number;
}

/** Payments that are remembered: their sums take Postgres a while, and their pages are polled. */
const MAX_KNOWN = 200;

const NO_TRANSFERS: CheckedRows<Transfer & { paymentId: string }> = { rows: [], unauthentic: new Set() };

type Transfers = (Transfer & { paymentId: string })[];

/** The transfers of payments with more than {@link MAX_LISTED}: all but those are added up by kind. */
@Injectable()
export class SummedTransferRepository {
  private readonly known = new Map<string, { version: string; transfers: Promise<Transfers> }>();

  constructor(
    private readonly sql: Sql,
    private readonly transfers: PaymentTransferRepository,
  ) {}

  /** The transfers of some payments, added up where they are many. */
  async listByPayments(
    payments: readonly CountedTransfers[],
  ): Promise<CheckedRows<Transfer & { paymentId: string }>> {
    const few = payments.filter(({ transferCount }) => transferCount > 0 && transferCount <= MAX_LISTED);
    // Each once: two callers may want the same payment, whose transfers would be there twice.
    const many = new Map(
      payments
        .filter(({ transferCount }) => transferCount > MAX_LISTED)
        .map(({ id, version }) => [id, version]),
    );
    // A new payment has none, and is what is read most.
    const [each, ...lists] = await Promise.all([
      few.length > 0 ? this.transfers.listByPayments(few.map(({ id }) => id)) : NO_TRANSFERS,
      ...[...many].map(([id, version]) => this.list(id, version)),
    ]);
    // Of sums nothing can be authenticated; what they show decides nothing, and the status does not follow from them.
    return { rows: [...each.rows, ...lists.flat()], unauthentic: each.unauthentic };
  }

  /**
   * @param version of the row of the payment, which every writer of transfers updates in the same transaction (trigger
   *   payment_transfers_tell_insert). It was read before, so what is remembered for a version is at least as new. Those
   *   that want it meanwhile share one read
   */
  async list(paymentId: string, version: string): Promise<Transfers> {
    // A transaction may write more of them under the same version.
    if (currentUnitOfWork()) return this.read(paymentId);
    const found = this.known.get(paymentId);
    if (found?.version === version) return this.withConfirmations(await found.transfers);
    const transfers = this.read(paymentId);
    const added = { version, transfers };
    this.known.delete(paymentId);
    this.known.set(paymentId, added);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
    try {
      return (await transfers).map((transfer) => ({ ...transfer }));
    } catch (error) {
      if (this.known.get(paymentId) === added) this.known.delete(paymentId);
      throw error;
    }
  }

  private async read(paymentId: string): Promise<Transfers> {
    return (await this.sql.query<TransferRow>(LIST_SUMMED, [paymentId])).map(toTransfer);
  }

  /** Copies, since blocks pass while nothing else changes. */
  private async withConfirmations(transfers: Transfers): Promise<Transfers> {
    const rows = await this.sql.query<{ chain: string; height: number }>(HEIGHTS, [
      [...new Set(transfers.map(({ chain }) => chain))],
    ]);
    const heights = new Map(rows.map(({ chain, height }) => [chain, height]));
    return transfers.map((transfer) => {
      const { chain, blockHeight } = transfer;
      if (blockHeight === null) return { ...transfer };
      const newest = heights.get(chain) ?? blockHeight;
      return { ...transfer, confirmations: Math.max(newest - blockHeight + 1, 1) };
    });
  }
}
