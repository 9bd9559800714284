import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { ExportOrder } from '../platform/web/http/exports.service.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';

/** A transfer of the native coin on a UTXO chain, which is one output; not removed. */
export interface ReceivedOutput {
  id: string;
  depositAddressId: string;
  address: string;
  txHash: string;
  ordinal: string;
  amount: bigint;
  state: string;
  blockHeight: number | null;
  blockHash: string | null;
  /** Null for a coinbase. */
  inputs: string[] | null;
  seenAt: Date;
}

/** What one address has received in one asset. */
export interface AddressHolding {
  id: string;
  paymentId: string;
  reference: string;
  depositAddressId: string;
  address: string;
  family: AddressFamily;
  chain: string;
  asset: string;
  currencyCode: string;
  assetDecimals: number;
  received: bigint;
  /** When its first transfer was. */
  seenAt: Date;
}

/** An address that has received something on a chain. */
export interface PaidAddress {
  id: string;
  depositAddressId: string;
  address: string;
  key: Buffer;
  /** When its first transfer there was. */
  seenAt: Date;
  /** Its payment is not paid yet, so that coin that arrives may count for the price. */
  isOpen: boolean;
}

interface Page {
  userId: string;
  applicationId: string;
  at: Date;
  id: string;
  limit: number;
}

/**
 * How the transfers of an application are found, in the order of their time. `walk`: along the indexes
 * payment_transfers_owner and payment_transfers_chain, where those of other applications of the user are passed over.
 * `few`: by its payments, which are read and sorted; of a small application beside a large one that is less.
 */
type Way = 'walk' | 'few';
const FROM: Readonly<Record<Way, string>> = {
  walk: `from payment_transfers t join payments p on p.id = t.payment_id and p.application_id = :applicationId`,
  few: `
  from (select f.id, f.reference, f.status from payments f where f.application_id = :applicationId offset 0) p
    cross join lateral (select f.* from payment_transfers f where f.payment_id = p.id offset 0) t`,
};
const eachWay = <Made>(make: (from: string) => Made): Readonly<Record<Way, Made>> => ({
  walk: make(FROM.walk),
  few: make(FROM.few),
});
/** Payments of an application that are read and sorted at most. */
const FEW = 4_000;
const IS_LARGE = `
  select count(*) > ${FEW} as large from (select from payments where application_id = $1 limit ${FEW + 1}) p`;

const ADDRESS = 'join deposit_addresses d on d.id = t.deposit_address_id';
const NEXT = `t.user_id = :userId and (t.seen_at, t.id) < (:at, :id)`;
const ORDER = `order by t.seen_at desc, t.id desc limit :limit`;
type ChainPage = Page & { chain: string };
const OUTPUTS = eachWay((from) =>
  namedStatement<ChainPage>(`
  select t.id, t.deposit_address_id as "depositAddressId", d.address, t.tx_hash as "txHash", t.ordinal,
    t.amount::text as amount, t.state, t.block_height::integer as "blockHeight", t.block_hash as "blockHash", t.inputs,
    t.seen_at as "seenAt"
  ${from} ${ADDRESS}
  where ${NEXT} and t.chain = :chain and t.state in ('pending', 'confirmed') ${ORDER}`),
);

/** Each address once, where its first transfer on the chain is. */
const ON_CHAIN = eachWay((from) =>
  namedStatement<ChainPage>(`
  select t.id, t.deposit_address_id as "depositAddressId", d.address, d.key, t.seen_at as "seenAt",
    p.status in ('OPEN', 'FOUND', 'UNDERPAID') as "isOpen"
  ${from} ${ADDRESS}
  where ${NEXT} and t.chain = :chain and t.state in ('pending', 'confirmed')
    and not exists (
      select from payment_transfers o
      where o.payment_id = t.payment_id and o.deposit_address_id = t.deposit_address_id and o.chain = t.chain
        and o.state in ('pending', 'confirmed') and (o.seen_at, o.id) < (t.seen_at, t.id))
  ${ORDER}`),
);

const SAME = `
  o.payment_id = t.payment_id and o.deposit_address_id = t.deposit_address_id and o.chain = t.chain and o.asset = t.asset
    and o.currency_code = t.currency_code and o.asset_decimals = t.asset_decimals and o.state = 'confirmed'`;
type HoldingsPage = Page & { chain: string | null; until: Date | null };
/** Each address and asset once, where its first transfer is; so a further one moves nothing. */
const holdings = (from: string, after: '<' | '>', direction: 'asc' | 'desc', onChain: string) =>
  namedStatement<HoldingsPage>(`
  select t.id, t.payment_id as "paymentId", p.reference, t.deposit_address_id as "depositAddressId", d.address, d.family,
    t.chain, t.asset, t.currency_code as "currencyCode", t.asset_decimals as "assetDecimals", t.seen_at as "seenAt",
    (select sum(o.amount)::text from payment_transfers o where ${SAME}) as received
  ${from} ${ADDRESS}
  where t.user_id = :userId and (t.seen_at, t.id) ${after} (:at, :id) ${onChain}
    and (:until::timestamptz is null or t.seen_at <= :until) and t.state = 'confirmed'
    and not exists (select from payment_transfers o where ${SAME} and (o.seen_at, o.id) < (t.seen_at, t.id))
  order by t.seen_at ${direction}, t.id ${direction} limit :limit`);
const eachOrder = (from: string, onChain: string) => ({
  'newest-first': holdings(from, '<', 'desc', onChain),
  'oldest-first': holdings(from, '>', 'asc', onChain),
});
const HOLDINGS = eachWay((from) => ({
  everywhere: eachOrder(from, ''),
  onChain: eachOrder(from, 'and t.chain = :chain'),
}));

/** Coin that accounts for fees have sent to addresses of their own keys. */
export interface OwnSum {
  chain: string;
  currencyCode: string;
  decimals: number;
  amount: bigint;
}
const OWN = `
  select o.chain, o.currency_code as "currencyCode", o.decimals, sum(o.amount)::text as amount
  from own_transfers o join payments p on p.id = o.payment_id
  where o.user_id = $1 and p.application_id = $2 group by 1, 2, 3`;

/** What the deposit addresses of an application have received, one by one, the newest first. */
@Injectable()
export class ReceivedRepository {
  constructor(private readonly sql: Sql) {}

  /** What the merchant's own accounts have sent to addresses of the application, which is nothing that was received. */
  async listOwn(userId: string, applicationId: string): Promise<OwnSum[]> {
    const rows = await this.sql.query<Omit<OwnSum, 'amount'> & { amount: string }>(OWN, [
      userId,
      applicationId,
    ]);
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  }

  /** Of one UTXO chain, without those that a reorganization removed or another transaction replaced. */
  async listOutputs(
    of: Pick<Page, 'userId' | 'applicationId' | 'limit'> & { chain: string },
    { at, id }: Place,
  ): Promise<ReceivedOutput[]> {
    const { text, values } = OUTPUTS[await this.wayTo(of.applicationId)];
    const rows = await this.sql.query<Omit<ReceivedOutput, 'amount'> & { amount: string }>(
      text,
      values({ ...of, at, id }),
    );
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  }

  /** Those that have received anything on one chain, listed or not yet confirmed. */
  async listPaid(
    of: Pick<Page, 'userId' | 'applicationId' | 'limit'> & { chain: string },
    { at, id }: Place,
  ): Promise<PaidAddress[]> {
    const { text, values } = ON_CHAIN[await this.wayTo(of.applicationId)];
    return this.sql.query<PaidAddress>(text, values({ ...of, at, id }));
  }

  /** Confirmed. @param of chain and until: null for every chain and time */
  async listAddresses(
    of: Omit<HoldingsPage, 'at' | 'id'>,
    { at, id }: Place,
    order: ExportOrder = 'newest-first',
  ): Promise<AddressHolding[]> {
    const way = HOLDINGS[await this.wayTo(of.applicationId)];
    const { text, values } = way[of.chain === null ? 'everywhere' : 'onChain'][order];
    const rows = await this.sql.query<Omit<AddressHolding, 'received'> & { received: string }>(
      text,
      values({ ...of, at, id }),
    );
    return rows.map((row) => ({ ...row, received: BigInt(row.received) }));
  }

  private async wayTo(applicationId: string): Promise<Way> {
    const [found] = await this.sql.query<{ large: boolean }>(IS_LARGE, [applicationId]);
    return found?.large ? 'walk' : 'few';
  }
}
