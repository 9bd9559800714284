import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '../../chains/chain.pure.js';
import { bulkUpdate, columnsOf, rowsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { PaymentTransferEntity, PLACED_FIELDS } from './payment-transfer.entity.js';
import { placeMac } from './place-macs.js';

const PLACED = columnsOf(PaymentTransferEntity, 't', ['id', ...PLACED_FIELDS]);
const RESEAL = bulkUpdate(PaymentTransferEntity, { key: ['id'], set: ['placeMac'] });

/** The newest applied block. */
export interface Depth {
  chain: string;
  height: number;
  /** Heights of the chain's blocks of these tags; below every block while one is unknown. */
  safe: number;
  finalized: number;
  /** Every transfer waits for the finalized block, also one that was recorded without a tag. */
  isSettledByFinality: boolean;
}
const IS_DEEP_ENOUGH = `
  chain = :chain and state = 'pending' and block_height is not null and not awaits_agreement
    and block_height <= :height::bigint - confirmations_required + 1
    and block_height <= case
      when finality_required = 'finalized' or :isSettledByFinality::boolean then :finalized::bigint
      when finality_required = 'safe' then :safe::bigint
      else block_height end`;
const REACHING_DEPTH = namedStatement<Depth>(`
  select distinct payment_id as "paymentId" from payment_transfers where ${IS_DEEP_ENOUGH}`);
const CONFIRM = namedStatement<Depth & { now: Date; paymentIds: readonly string[] }>(`
  update payment_transfers t set state = 'confirmed', confirmed_at = :now
  where ${IS_DEEP_ENOUGH} and payment_id = any(:paymentIds::uuid[])
  returning ${PLACED.list}`);

const REQUIRED = rowsOf(
  PaymentTransferEntity,
  ['paymentId', 'asset', 'confirmationsRequired', 'finalityRequired'],
  { after: 1, as: 'r' },
);
/** What the pending transfers of a payment in one asset wait for. */
export type RequiredOfPayment = Pick<
  PaymentTransferEntity,
  'paymentId' | 'asset' | 'confirmationsRequired' | 'finalityRequired'
>;
const RAISE_REQUIRED = `
  update payment_transfers t
  set confirmations_required = greatest(t.confirmations_required, r.confirmations_required),
    finality_required = r.finality_required
  from ${REQUIRED.from}
  where t.payment_id = r.payment_id and t.chain = $1 and t.asset = r.asset and t.state = 'pending'
    and (t.confirmations_required < r.confirmations_required
      or t.finality_required is distinct from r.finality_required)`;
const AWAITED_TAGS = `
  select distinct finality_required as tag from payment_transfers
  where chain = $1 and state = 'pending' and block_height is not null and finality_required is not null`;

/** A block with pending transfers that a second node has not shown yet. */
export interface AwaitingBlock {
  height: number;
  hash: string;
}
const AWAITING_AGREEMENT = `
  select block_height::integer as height, block_hash as hash from payment_transfers
  where chain = $1 and state = 'pending' and block_height is not null and awaits_agreement
  group by block_height, block_hash order by block_height limit 50`;
const MARK_AGREED = `
  update payment_transfers set awaits_agreement = false
  where chain = $1 and block_hash = $2 and tx_hash = any($3::text[]) and state = 'pending' and awaits_agreement`;

const PAYMENTS_ABOVE = `
  select distinct payment_id as "paymentId" from payment_transfers where chain = $1 and block_height > $2`;
const HASHES_ABOVE = `
  select distinct tx_hash as "txHash" from payment_transfers where chain = $1 and block_height > $2`;
const UNDO_ABOVE = `
  update payment_transfers
  set state = case when tx_hash = any($3::text[]) then 'pending' else 'orphaned' end,
    block_height = null, block_hash = null, block_time = null, confirmed_at = null, place_mac = null
  where chain = $1 and block_height > $2 and payment_id = any($4::uuid[])`;

/** Where the transfers of payments are on their chains: in blocks, deep enough, out of them again. */
@Injectable()
export class TransferPlaceRepository {
  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
  ) {}

  /** Ids of payments with pending transfers that are deep enough to be confirmed. */
  listPaymentsReachingDepth(depth: Depth): Promise<string[]> {
    return this.paymentIds(REACHING_DEPTH.text, REACHING_DEPTH.values(depth));
  }

  /** Confirms the pending transfers of some payments that are deep enough, and returns their ids. */
  async confirm(depth: Depth, paymentIds: readonly string[], now: Date): Promise<string[]> {
    const values = CONFIRM.values({ ...depth, paymentIds, now });
    const confirmed = (await this.sql.query<object>(CONFIRM.text, values)).map(PLACED.toEntity);
    const sealed = confirmed.map((transfer) => ({
      ...transfer,
      placeMac: placeMac(this.keyring, transfer),
      expected: {},
    }));
    if (sealed.length > 0) await this.sql.query(...RESEAL(sealed));
    return confirmed.map(({ id }) => id);
  }

  /** The tags that pending transfers in blocks of a chain wait for. */
  async listAwaitedTags(chain: string): Promise<FinalityTag[]> {
    return (await this.sql.query<{ tag: FinalityTag }>(AWAITED_TAGS, [chain])).map(({ tag }) => tag);
  }

  /** Blocks, at most 50, with pending transfers that a second node has not shown yet. */
  listBlocksAwaitingAgreement(chain: string): Promise<AwaitingBlock[]> {
    return this.sql.query<AwaitingBlock>(AWAITING_AGREEMENT, [chain]);
  }

  /** Records that a second node has shown the transfers of these transactions in a block. */
  async markAgreed(chain: string, blockHash: string, txHashes: readonly string[]): Promise<void> {
    await this.sql.query(MARK_AGREED, [chain, blockHash, txHashes]);
  }

  /** Raises what pending transfers wait for; it is never lowered. */
  async raiseRequirements(chain: string, required: readonly RequiredOfPayment[]): Promise<void> {
    await this.sql.query(RAISE_REQUIRED, [chain, ...REQUIRED.values(required)]);
  }

  /** Ids of payments with transfers in blocks above a height. */
  listPaymentsAbove(chain: string, height: number): Promise<string[]> {
    return this.paymentIds(PAYMENTS_ABOVE, [chain, height]);
  }

  /** Hashes of transactions with transfers in blocks above a height. */
  async listHashesAbove(chain: string, height: number): Promise<string[]> {
    const rows = await this.sql.query<{ txHash: string }>(HASHES_ABOVE, [chain, height]);
    return rows.map(({ txHash }) => txHash);
  }

  /** Takes transfers of some payments out of blocks above a height. @param inMempool transactions whose transfers become pending again */
  async undoAbove(
    chain: string,
    height: number,
    inMempool: readonly string[],
    paymentIds: readonly string[],
  ): Promise<void> {
    await this.sql.query(UNDO_ABOVE, [chain, height, inMempool, paymentIds]);
  }

  private async paymentIds(text: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.sql.query<{ paymentId: string }>(text, values)).map(({ paymentId }) => paymentId);
  }
}
