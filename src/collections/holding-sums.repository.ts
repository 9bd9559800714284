import { Injectable } from '@nestjs/common';
import { sqlState } from '../platform/database/database-errors.pure.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { WalletSum } from './collecting-cost.pure.js';

/** An asset as it is recorded on a chain. */
export interface AssetKey {
  chain: string;
  asset: string;
  currencyCode: string;
  assetDecimals: number;
}

/** From which amount of an asset on collecting pays, on addresses whose key has this length. */
export interface Threshold extends AssetKey {
  keyLength: number;
  least: bigint;
}

/** What addresses of one wallet have received of an asset, for payments in one currency. */
export interface HoldingSum extends AssetKey, WalletSum {
  /** One of the addresses: those of a wallet are all of one kind. */
  depositAddressId: string;
  pricedCode: string;
  /** In that currency, smallest unit. */
  credited: bigint;
  /** Smallest unit of the asset: what has no rate of its receipt. */
  unvalued: bigint;
}

interface Parameters {
  applicationId: string;
  chains: readonly string[];
  assets: readonly string[];
  codes: readonly string[];
  decimals: readonly number[];
  lengths: readonly number[];
  least: readonly string[];
}

/**
 * It reads every transfer of the application: which addresses are above an amount depends on the prices of now, so no
 * index has it. Therefore it is bounded by time, and its reader keeps the answer for a minute. An address is of one
 * payment, and so its transfers are in one currency; what they are credited with is what reports add up.
 */
const SUMS = namedStatement<Parameters>(`
  with held as (
    select t.chain, t.asset, t.currency_code, t.asset_decimals, t.deposit_address_id, p.currency_code as priced,
      sum(t.amount) as amount, sum(t.credited_amount) filter (where t.quote_id is not null) as credited,
      sum(t.amount) filter (where t.quote_id is null or t.credited_amount is null) as unvalued
    from payments p join payment_transfers t on t.payment_id = p.id
    where p.application_id = :applicationId and t.state = 'confirmed'
    group by 1, 2, 3, 4, 5, 6
  ), paying as (
    select * from unnest(:chains::text[], :assets::text[], :codes::text[], :decimals::smallint[], :lengths::integer[],
      :least::numeric[]) as paying (chain, asset, currency_code, asset_decimals, key_length, least)
  )
  select h.chain, h.asset, h.currency_code as "currencyCode", h.asset_decimals as "assetDecimals",
    octet_length(d.key) as "keyLength", min(d.id::text) as "depositAddressId", h.priced as "pricedCode",
    count(*)::integer as addresses, coalesce(sum(h.credited), 0)::text as credited,
    coalesce(sum(h.unvalued), 0)::text as unvalued,
    (count(*) filter (where h.amount >= f.least))::integer as collectable,
    coalesce(sum(h.amount) filter (where h.amount >= f.least), 0)::text as "collectableAmount"
  from held h join deposit_addresses d on d.id = h.deposit_address_id
    left join paying f on f.chain = h.chain and f.asset = h.asset and f.currency_code = h.currency_code
      and f.asset_decimals = h.asset_decimals and f.key_length = octet_length(d.key)
  group by h.chain, h.asset, h.currency_code, h.asset_decimals, octet_length(d.key), d.wallet_id, h.priced`);
// Milliseconds; until the transaction ends. 200,000 transfers take one second.
const PATIENCE = `select set_config('statement_timeout', '9000', true)`;
const CANCELED = '57014';

type Row = Omit<HoldingSum, 'credited' | 'unvalued' | 'collectableAmount'> &
  Record<'credited' | 'unvalued' | 'collectableAmount', string>;

/** What an application has received, added up by wallet and by currency of the payments. */
@Injectable()
export class HoldingSumsRepository {
  constructor(private readonly sql: Sql) {}

  /** Null: it takes too long. */
  async find(applicationId: string, thresholds: readonly Threshold[]): Promise<HoldingSum[] | null> {
    const values = SUMS.values({
      applicationId,
      chains: thresholds.map(({ chain }) => chain),
      assets: thresholds.map(({ asset }) => asset),
      codes: thresholds.map(({ currencyCode }) => currencyCode),
      decimals: thresholds.map(({ assetDecimals }) => assetDecimals),
      lengths: thresholds.map(({ keyLength }) => keyLength),
      least: thresholds.map(({ least }) => String(least)),
    });
    try {
      const rows = await this.sql.snapshot(async (tx) => {
        await tx.query(PATIENCE);
        return tx.query<Row>(SUMS.text, values);
      });
      return rows.map((row) => ({
        ...row,
        credited: BigInt(row.credited),
        unvalued: BigInt(row.unvalued),
        collectableAmount: BigInt(row.collectableAmount),
      }));
    } catch (error) {
      if (sqlState(error) === CANCELED) return null;
      throw error;
    }
  }
}
