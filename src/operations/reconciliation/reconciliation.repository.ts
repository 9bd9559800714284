import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import type { AddressFamily } from '../../chains/chain.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { ReconciliationStateEntity } from './reconciliation-state.entity.js';
import type { RecordedAddress, RecordedTransfer } from './transfer-audit.pure.js';

const ADDRESSES = `
  select payment_id as "paymentId", family, key, address, created_at as "createdAt" from deposit_addresses
  where payment_id = any($1::uuid[]) order by payment_id, family`;
const TRANSFERS = `
  select t.payment_id as "paymentId", t.chain, t.tx_hash as "txHash", t.ordinal, t.asset, t.currency_code as "currencyCode",
    t.asset_decimals as decimals, t.amount, t.state, t.block_height as height, t.block_hash as "blockHash",
    t.confirmations_required as "confirmationsRequired", t.is_matched as "isMatched", d.address, d.key
  from payment_transfers t join deposit_addresses d on d.id = t.deposit_address_id
  where t.payment_id = any($1::uuid[]) order by t.payment_id, t.seen_at, t.id`;
const CURSORS = `select chain, height, hash, halted_at is not null as "isHalted" from chain_cursors order by chain`;
const KEYS = `select key from deposit_addresses where family = $1 order by id`;

/** The watcher's position on a chain. */
export interface RecordedCursor extends BlockRef {
  chain: string;
  isHalted: boolean;
}

/** Reads the records to be compared, within the caller's snapshot; stores how the comparison ended. */
@Injectable()
export class ReconciliationRepository {
  constructor(
    @InjectRepository(ReconciliationStateEntity)
    private readonly states: Repository<ReconciliationStateEntity>,
    private readonly sql: Sql,
  ) {}

  addressesOf(paymentIds: readonly string[]): Promise<RecordedAddress[]> {
    return this.sql.query(ADDRESSES, [paymentIds]);
  }

  async transfersOf(paymentIds: readonly string[]): Promise<RecordedTransfer[]> {
    const rows = await this.sql.query<RecordedTransfer & { amount: string; height: string | null }>(
      TRANSFERS,
      [paymentIds],
    );
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

  /** The keys of all deposit addresses of a family. */
  async addressKeys(family: AddressFamily): Promise<Buffer[]> {
    const rows = await this.sql.query<{ key: Buffer }>(KEYS, [family]);
    return rows.map(({ key }) => key);
  }

  async saveState(state: Omit<ReconciliationStateEntity, 'onlyOne'>): Promise<void> {
    await this.states.upsert({ onlyOne: true, ...state }, ['onlyOne']);
  }
}
