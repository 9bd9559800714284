import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { ReconciliationStateEntity } from './reconciliation-state.entity.js';
import type { RecordedTransfer } from './transfer-audit.pure.js';

const TRANSFERS = `
  select t.payment_id as "paymentId", t.chain, t.tx_hash as "txHash", t.ordinal, t.asset, t.currency_code as "currencyCode",
    t.asset_decimals as decimals, t.amount, t.state, t.block_height as height, t.block_hash as "blockHash",
    t.confirmations_required as "confirmationsRequired", t.finality_required as "finalityRequired", t.awaits_agreement as "awaitsAgreement", t.is_matched as "isMatched",
    t.deposit_address_id as "depositAddressId"
  from payment_transfers t
  where t.payment_id = any($1::uuid[]) order by t.payment_id, t.seen_at, t.id`;
const CURSORS = `select chain, height, hash, halted_at is not null as "isHalted" from chain_cursors order by chain`;

const APPLICATIONS = `select distinct application_id as id from payments order by 1`;
/** Sums of an application that are not those of its transfers, of which there may be none. */
const WRONG_HOLDINGS = `
  with summed as (
    select t.chain, t.asset, t.currency_code, t.asset_decimals,
      coalesce(sum(t.amount) filter (where t.state = 'confirmed'), 0) as confirmed,
      coalesce(sum(t.amount) filter (where t.state = 'pending'), 0) as pending,
      count(distinct t.deposit_address_id) filter (where t.state = 'confirmed') as addresses
    from payments p join payment_transfers t on t.payment_id = p.id
    where p.application_id = $1 group by 1, 2, 3, 4
  ), kept as (
    select chain, asset, currency_code, asset_decimals, confirmed, pending, addresses
    from application_holdings where application_id = $1
  )
  select coalesce(s.chain, k.chain) as chain, coalesce(s.asset, k.asset) as asset,
    concat_ws(' ', coalesce(s.confirmed, 0), coalesce(s.pending, 0), coalesce(s.addresses, 0)) as expected,
    concat_ws(' ', coalesce(k.confirmed, 0), coalesce(k.pending, 0), coalesce(k.addresses, 0)) as found
  from summed s full join kept k using (chain, asset, currency_code, asset_decimals)
  where (coalesce(s.confirmed, 0), coalesce(s.pending, 0), coalesce(s.addresses, 0))
    is distinct from (coalesce(k.confirmed, 0), coalesce(k.pending, 0), coalesce(k.addresses, 0))
  order by 1, 2`;

const UNREAD = `
  select chain, count(*)::integer as blocks, min(height) as lowest from unread_traces group by chain order by chain`;

/** Applied blocks of a chain whose traces are not all read. */
interface UnreadBlocks {
  chain: string;
  blocks: number;
  /** Height of the first. */
  lowest: string;
}

/** What an application is said to have received of an asset: confirmed, pending and addresses. */
interface WrongHolding {
  chain: string;
  asset: string;
  expected: string;
  found: string;
}

/** A recorded transfer, still without its address. */
export interface StoredTransfer extends Omit<RecordedTransfer, 'address' | 'key'> {
  depositAddressId: string;
}

/** The watcher's position on a chain. */
export interface RecordedCursor extends BlockRef {
  chain: string;
  isHalted: boolean;
}

/** Reads transfers and cursors in the caller's snapshot; stores how the comparison ended. */
@Injectable()
export class ReconciliationRepository {
  constructor(
    @InjectRepository(ReconciliationStateEntity)
    private readonly states: Repository<ReconciliationStateEntity>,
    private readonly sql: Sql,
  ) {}

  /** By payment, in the order in which they were seen. */
  async transfersOf(paymentIds: readonly string[]): Promise<StoredTransfer[]> {
    const rows = await this.sql.query<StoredTransfer & { amount: string; height: string | null }>(TRANSFERS, [
      paymentIds,
    ]);
    return rows.map((row) => ({
      ...row,
      amount: BigInt(row.amount),
      height: row.height === null ? null : Number(row.height),
    }));
  }

  /** Of every chain that was ever watched. */
  async cursors(): Promise<RecordedCursor[]> {
    const rows = await this.sql.query<Omit<RecordedCursor, 'height'> & { height: string }>(CURSORS);
    return rows.map((row) => ({ ...row, height: Number(row.height) }));
  }

  /** Of every payment. */
  async applicationIds(): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(APPLICATIONS)).map(({ id }) => id);
  }

  wrongHoldings(applicationId: string): Promise<WrongHolding[]> {
    return this.sql.query<WrongHolding>(WRONG_HOLDINGS, [applicationId]);
  }

  unreadTraces(): Promise<UnreadBlocks[]> {
    return this.sql.query<UnreadBlocks>(UNREAD);
  }

  /** Null before the first run that reached the end. */
  findState(): Promise<ReconciliationStateEntity | null> {
    return this.states.findOneBy({ onlyOne: true });
  }

  async saveState(state: Omit<ReconciliationStateEntity, 'onlyOne'>): Promise<void> {
    await this.states.upsert({ onlyOne: true, ...state }, ['onlyOne']);
  }
}
