import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ExportPlace } from '../../platform/web/http/exports.service.js';
import { PaymentTransferEntity } from '../transfers/payment-transfer.entity.js';

const TRANSFER = columnsOf(PaymentTransferEntity, 't', [
  'id',
  'paymentId',
  'chain',
  'txHash',
  'currencyCode',
  'assetDecimals',
  'amount',
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
}

/** A transfer with what an export needs of its payment and its quote. */
export type ExportedTransfer = Pick<
  PaymentTransferEntity,
  | 'id'
  | 'paymentId'
  | 'chain'
  | 'txHash'
  | 'currencyCode'
  | 'assetDecimals'
  | 'amount'
  | 'state'
  | 'isMatched'
  | 'isLate'
  | 'seenAt'
  | 'confirmedAt'
> & {
  applicationId: string;
  reference: string;
  pricingCode: string;
  /** Of the payment, in its currency. */
  pricedAmount: bigint;
  /** Pays it in full, in the asset; null: the transfer has no quote. */
  quotedAmount: bigint | null;
};
type JoinedRow = Pick<ExportedTransfer, 'applicationId' | 'reference' | 'pricingCode'> & {
  pricedAmount: string;
  quotedAmount: string | null;
};

/** From the index payment_transfers_owner, in its order: a page costs the same wherever it begins. */
const EXPORT = namedStatement<TransferFilter & ExportPlace & { limit: number }>(`
  select ${TRANSFER.list}, p.application_id as "applicationId", p.reference, p.currency_code as "pricingCode",
    p.amount as "pricedAmount", q.asset_amount as "quotedAmount"
  from payment_transfers t join payments p on p.id = t.payment_id left join quotes q on q.id = t.quote_id
  where t.user_id = :userId and (t.seen_at, t.id) < (:at, :id)
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:chain::text is null or t.chain = :chain)
    and (:currencyCode::text is null or t.currency_code = :currencyCode)
    and (:from::timestamptz is null or t.seen_at >= :from)
  order by t.seen_at desc, t.id desc limit :limit`);

/** Transfers of all payments of a user, for exports. */
@Injectable()
export class TransferExportRepository {
  constructor(private readonly sql: Sql) {}

  /** The next transfers after a place, newest first. */
  async listAfter(
    filter: TransferFilter,
    { at, id }: ExportPlace,
    limit: number,
  ): Promise<ExportedTransfer[]> {
    const rows = await this.sql.query<JoinedRow>(EXPORT.text, EXPORT.values({ ...filter, at, id, limit }));
    return rows.map((row) => {
      const { applicationId, reference, pricingCode, pricedAmount, quotedAmount } = row;
      return {
        ...TRANSFER.toEntity(row),
        applicationId,
        reference,
        pricingCode,
        pricedAmount: BigInt(pricedAmount),
        quotedAmount: quotedAmount === null ? null : BigInt(quotedAmount),
      };
    });
  }
}
