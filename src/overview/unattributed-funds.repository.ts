import { Injectable } from '@nestjs/common';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';

/** A transfer that is credited to no payment. */
export interface UnattributedTransfer {
  id: string;
  paymentId: string;
  applicationId: string;
  applicationName: string;
  userId: string;
  chain: string;
  txHash: string;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  isConfirmed: boolean;
  seenAt: Date;
}

/** What {@link UnattributedFundsRepository} counts as live, as the metric `gateway_unattributed_deposits` does. */
const LIST = namedStatement<Place & { chain: string | null; limit: number }>(`
  select t.id, t.payment_id as "paymentId", p.application_id as "applicationId", a.name as "applicationName",
    t.user_id as "userId", t.chain, t.tx_hash as "txHash", t.currency_code as "currencyCode",
    t.asset_decimals as decimals, t.amount, t.state = 'confirmed' as "isConfirmed", t.seen_at as "seenAt"
  from chain_cursors c cross join lateral (
      select * from payment_transfers t
      where t.chain = c.chain and not t.is_matched and not t.is_dust and t.state in ('pending', 'confirmed')
        and (t.seen_at, t.id) < (:at, :id)
      order by t.seen_at desc, t.id desc limit :limit) t
    join payments p on p.id = t.payment_id
    join payment_applications a on a.id = p.application_id
  where :chain::text is null or c.chain = :chain
  order by t.seen_at desc, t.id desc limit :limit`);

/** Transfers of all users that are credited to no payment, by the index payment_transfers_unattributed. */
@Injectable()
export class UnattributedFundsRepository {
  constructor(private readonly sql: Sql) {}

  /** The newest first, before a place. */
  async listBefore(place: Place, chain: string | null, limit: number): Promise<UnattributedTransfer[]> {
    const rows = await this.sql.query<Omit<UnattributedTransfer, 'amount'> & { amount: string }>(
      LIST.text,
      LIST.values({ ...place, chain, limit }),
    );
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  }
}
