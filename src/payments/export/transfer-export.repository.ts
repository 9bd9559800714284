import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { type NamedStatement, namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ExportOrder, ExportPlace } from '../../platform/web/http/exports.service.js';
import { PaymentTransferEntity } from '../transfers/payment-transfer.entity.js';

const TRANSFER = columnsOf(PaymentTransferEntity, 't', [
  'id',
  'paymentId',
  'depositAddressId',
  'chain',
  'txHash',
  'currencyCode',
  'assetDecimals',
  'amount',
  'floor',
  'quoteId',
  'creditedAmount',
  'state',
  'isMatched',
  'isLate',
  'seenAt',
  'confirmedAt',
]);

/** What an export of transfers is restricted to; null: not by that. */
export interface TransferFilter {
  userId: string;
  applicationId: string | null;
  chain: string | null;
  currencyCode: string | null;
  from: Date | null;
  until: Date;
  /** Only what the report of received funds counts: confirmed, matched, with a rate. */
  isReceived: boolean;
}

/** A transfer with what an export needs of its payment. */
export type ExportedTransfer = Pick<
  PaymentTransferEntity,
  | 'id'
  | 'paymentId'
  | 'depositAddressId'
  | 'chain'
  | 'txHash'
  | 'currencyCode'
  | 'assetDecimals'
  | 'amount'
  | 'floor'
  | 'quoteId'
  | 'creditedAmount'
  | 'state'
  | 'isMatched'
  | 'isLate'
  | 'seenAt'
  | 'confirmedAt'
> & {
  applicationId: string;
  reference: string;
  referenceLabel: string;
  pricingCode: string;
  /** Of the pricing currency for one whole coin; null: without a quote. */
  rate: string | null;
};
type JoinedRow = Pick<
  ExportedTransfer,
  'applicationId' | 'reference' | 'referenceLabel' | 'pricingCode' | 'rate'
>;

const SELECT = `
  select ${TRANSFER.list}, p.application_id as "applicationId", p.reference, p.currency_code as "pricingCode",
    q.rate, p.reference_label as "referenceLabel"
  from payment_transfers t join payments p on p.id = t.payment_id left join quotes q on q.id = t.quote_id`;
type Parameters = TransferFilter & ExportPlace & { limit: number };
/** From the index payment_transfers_owner, in its order: a page costs the same wherever it begins. */
const exported = (after: '<' | '>', direction: 'asc' | 'desc'): NamedStatement<Parameters> =>
  namedStatement(`
  ${SELECT}
  where t.user_id = :userId and (t.seen_at, t.id) ${after} (:at, :id) and t.seen_at <= :until
    and (not :isReceived::boolean or t.state = 'confirmed' and t.is_matched and q.id is not null)
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:chain::text is null or t.chain = :chain)
    and (:currencyCode::text is null or t.currency_code = :currencyCode)
    and (:from::timestamptz is null or t.seen_at >= :from)
  order by t.seen_at ${direction}, t.id ${direction} limit :limit`);
const EXPORTS = { 'newest-first': exported('<', 'desc'), 'oldest-first': exported('>', 'asc') };
/** What counts of some payments, the oldest first: of the small ones those that stand for others. */
const RECEIVED_OF = `
  ${SELECT}
  where t.payment_id = any($1::uuid[]) and t.state = 'confirmed' and t.is_matched and q.id is not null
    and (t.amount >= t.floor or t.id = any($2::uuid[]))
  order by t.seen_at, t.id`;

/** What is too small to be listed one by one, of some payments, added up by all that tells two rows of a file apart. */
const SMALL = namedStatement<{ paymentIds: readonly string[] } & SeenIn>(`
  select (array_agg(t.id order by t.seen_at, t.id))[1] as id, t.payment_id as "paymentId", count(*)::text as count,
    sum(t.amount)::text as amount, sum(t.credited_amount)::text as "creditedAmount"
  from payment_transfers t
  where t.payment_id = any(:paymentIds::uuid[]) and t.amount < t.floor
    and (:from::timestamptz is null or t.seen_at >= :from)
    and (:until::timestamptz is null or t.seen_at <= :until)
  group by t.payment_id, t.deposit_address_id, t.chain, t.asset, t.currency_code, t.asset_decimals, t.state, t.is_matched,
    t.quote_id`);

/** When transfers were first seen, both ends inclusive; null: no end. */
export interface SeenIn {
  from: Date | null;
  until: Date | null;
}

/** Small transfers of one kind, added up; also where there is one. */
export interface SmallTransfers {
  /** The first of them. */
  id: string;
  paymentId: string;
  count: number;
  /** Smallest unit of the asset. */
  amount: bigint;
  creditedAmount: bigint | null;
}

/** Transfers of all payments of a user, for exports. */
@Injectable()
export class TransferExportRepository {
  constructor(private readonly sql: Sql) {}

  /** The next transfers after a place. */
  async listAfter(
    filter: TransferFilter,
    { at, id }: ExportPlace,
    limit: number,
    order: ExportOrder,
  ): Promise<ExportedTransfer[]> {
    const { text, values } = EXPORTS[order];
    return (await this.sql.query<JoinedRow>(text, values({ ...filter, at, id, limit }))).map(toTransfer);
  }

  /** The small transfers of some payments that were seen in a span. */
  async sumSmall(paymentIds: readonly string[], { from, until }: SeenIn): Promise<SmallTransfers[]> {
    if (paymentIds.length === 0) return [];
    const rows = await this.sql.query<
      Record<'id' | 'paymentId' | 'count' | 'amount', string> & { creditedAmount: string | null }
    >(SMALL.text, SMALL.values({ paymentIds, from, until }));
    return rows.map(({ id, paymentId, count, amount, creditedAmount }) => ({
      id,
      paymentId,
      count: Number(count),
      amount: BigInt(amount),
      creditedAmount: creditedAmount === null ? null : BigInt(creditedAmount),
    }));
  }

  /**
   * The confirmed, matched transfers of some payments, the oldest first.
   * @param small ids of the small ones that are wanted
   */
  async listReceivedOf(paymentIds: readonly string[], small: readonly string[]): Promise<ExportedTransfer[]> {
    if (paymentIds.length === 0) return [];
    return (await this.sql.query<JoinedRow>(RECEIVED_OF, [paymentIds, small])).map(toTransfer);
  }
}

function toTransfer(row: JoinedRow): ExportedTransfer {
  const { applicationId, reference, referenceLabel, pricingCode, rate } = row;
  return { ...TRANSFER.toEntity(row), applicationId, reference, referenceLabel, pricingCode, rate };
}
