import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import type { Queryable } from '../common/sql.js';
import { PaymentMover } from './payment-mover.service.js';
import { lockStates, refreshFacts } from './payment-states.js';
import type { PaymentState } from './payment.js';
import { quoteFor } from './quote-choice.js';

/** A transfer to one of our deposit addresses, as the watcher matched it. */
export interface MatchedTransfer {
  depositAddressId: string;
  paymentId: string;
  txHash: string;
  ordinal: string;
  asset: string;
  currencyCode: string;
  assetDecimals: number;
  amount: bigint;
  /** UTXO chains: outpoints that its transaction spends; none elsewhere, nor for a coinbase. */
  inputs?: string[] | null;
  confirmationsRequired: number;
}

/** Outpoints that transactions spend, each with the hash of the spending one. */
type Spends = ReadonlyMap<string, string>;

/** A block whose transfers are to be recorded. */
export interface RecordedBlock {
  chain: string;
  height: number;
  hash: string;
  time: Date;
  transfers: MatchedTransfer[];
  /** Chains settled by finality: nothing above this height is confirmed; null when it is not known. */
  finalHeight?: number | null;
  /** UTXO chains: of this block and of those before it that were not recorded by themselves. */
  spends?: readonly Spends[];
}

/** What a mempool newly shows. */
export interface Sightings {
  chain: string;
  spends: Spends;
  transfers: MatchedTransfer[];
}

/** Below every block: nothing is final as far as we know. */
const NOTHING_FINAL = -1;

// Transfers that the block's height lifts to their required depth; or, with $3, those of final blocks.
const REACHING_DEPTH = `
  select distinct payment_id from payment_transfers
  where chain = $1 and state = 'pending' and block_height is not null
    and block_height <= coalesce($3::bigint, $2::bigint - confirmations_required + 1)`;
const CONFIRM = `
  update payment_transfers set state = 'confirmed', confirmed_at = $3
  where chain = $1 and state = 'pending' and block_height is not null
    and block_height <= coalesce($5::bigint, $2::bigint - confirmations_required + 1) and payment_id = any($4::uuid[])`;
const INSERT = `
  insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset, currency_code,
    asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required, quote_id, is_matched,
    is_late, seen_at, inputs)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', $12, $13, $14, $15, $16, $17, $18, $19, $20)`;
// A replay changes nothing; a transaction that is mined again keeps its row, its first sight and its quote.
const RECORD = `${INSERT}
  on conflict (chain, tx_hash, ordinal) do update
    set state = 'pending', block_height = excluded.block_height, block_hash = excluded.block_hash,
      block_time = excluded.block_time, confirmed_at = null
    where payment_transfers.block_hash is distinct from excluded.block_hash`;
// A sighting takes nothing from what a block shows; what was given up waits again.
const RECORD_SIGHTING = `${INSERT}
  on conflict (chain, tx_hash, ordinal) do update set state = 'pending'
    where payment_transfers.block_height is null and payment_transfers.state <> 'pending'`;
const WAITING_INPUTS = `
  select distinct payment_id, tx_hash, inputs from payment_transfers
  where chain = $1 and state = 'pending' and block_height is null and inputs is not null`;
const REPLACE = `
  update payment_transfers set state = 'replaced'
  where chain = $1 and tx_hash = any($2::text[]) and state = 'pending' and block_height is null`;
const ABOVE = `select distinct payment_id from payment_transfers where chain = $1 and block_height > $2`;
const ORPHAN = `
  update payment_transfers
  set state = case when tx_hash = any($3::text[]) then 'pending' else 'orphaned' end,
    block_height = null, block_hash = null, block_time = null, confirmed_at = null
  where chain = $1 and block_height > $2`;
const UNMINED = `
  select distinct tx_hash from payment_transfers where chain = $1 and state = 'pending' and block_height is null limit 500`;
const OF_TRANSACTIONS = `
  select distinct payment_id from payment_transfers
  where chain = $1 and tx_hash = any($2::text[]) and state = 'pending' and block_height is null`;
const DROP = `
  update payment_transfers set state = 'dropped'
  where chain = $1 and tx_hash = any($2::text[]) and state = 'pending' and block_height is null`;
const TRANSACTIONS_ABOVE = `select distinct tx_hash from payment_transfers where chain = $1 and block_height > $2`;

interface PaymentId {
  payment_id: string;
}

interface WaitingRow extends PaymentId {
  tx_hash: string;
  inputs: string[];
}

/**
 * What chains were seen to do, recorded for the payments concerned. Every method runs in the watcher's
 * transaction, after it moved its cursor, so that confirmations count from the block being applied.
 */
@Injectable()
export class TransfersService {
  constructor(
    private readonly clock: Clock,
    private readonly mover: PaymentMover,
  ) {}

  /** Records a block's transfers and confirms those that it buries deep enough. Idempotent. */
  async applyBlock(tx: Queryable, block: RecordedBlock): Promise<void> {
    const final = block.finalHeight === undefined ? null : (block.finalHeight ?? NOTHING_FINAL);
    const reaching = await tx.query<PaymentId>(REACHING_DEPTH, [block.chain, block.height, final]);
    const replaced = await this.findReplaced(tx, block.chain, block.spends ?? []);
    const ids = [
      ...[...reaching, ...replaced].map((row) => row.payment_id),
      ...block.transfers.map((transfer) => transfer.paymentId),
    ];
    if (ids.length === 0) return;
    const states = await lockStates(tx, [...new Set(ids)]);
    await this.replace(tx, block.chain, replaced);
    for (const transfer of block.transfers) await this.record(tx, states, block.chain, block, transfer);
    const locked = states.map(({ payment }) => payment.id);
    await tx.query(CONFIRM, [block.chain, block.height, this.clock.now(), locked, final]);
    await this.settleAll(tx, states);
  }

  /**
   * Records what waits in a mempool, and gives up what it has replaced: old and new never count together.
   * @returns whether anything of ours was among it
   */
  async applySightings(tx: Queryable, { chain, spends, transfers }: Sightings): Promise<boolean> {
    const replaced = await this.findReplaced(tx, chain, [spends]);
    const ids = [...replaced.map((row) => row.payment_id), ...transfers.map(({ paymentId }) => paymentId)];
    if (ids.length === 0) return false;
    const states = await lockStates(tx, [...new Set(ids)]);
    await this.replace(tx, chain, replaced);
    for (const transfer of transfers) await this.record(tx, states, chain, null, transfer);
    await this.settleAll(tx, states);
    return true;
  }

  /** Hashes of the transactions that a rollback to `height` would orphan. */
  async transactionsAbove(db: Queryable, chain: string, height: number): Promise<string[]> {
    return (await db.query<{ tx_hash: string }>(TRANSACTIONS_ABOVE, [chain, height])).map(
      (row) => row.tx_hash,
    );
  }

  /**
   * Takes back everything above the common ancestor of a fork.
   * @param inMempool transactions that the node still holds: they wait again instead of being gone
   */
  async rollBack(tx: Queryable, chain: string, height: number, inMempool: readonly string[]): Promise<void> {
    const affected = await tx.query<PaymentId>(ABOVE, [chain, height]);
    const states = await lockStates(
      tx,
      affected.map((row) => row.payment_id),
    );
    if (states.length === 0) return;
    await tx.query(ORPHAN, [chain, height, inMempool]);
    await this.settleAll(tx, states);
  }

  /** Hashes of seen transactions that no block holds at the moment. */
  async unminedTransactions(db: Queryable, chain: string): Promise<string[]> {
    return (await db.query<{ tx_hash: string }>(UNMINED, [chain])).map((row) => row.tx_hash);
  }

  /** The node forgot these transactions; they come back by themselves if a block ever holds them. */
  async drop(tx: Queryable, chain: string, txHashes: readonly string[]): Promise<void> {
    const affected = await tx.query<PaymentId>(OF_TRANSACTIONS, [chain, txHashes]);
    const states = await lockStates(
      tx,
      affected.map((row) => row.payment_id),
    );
    if (states.length === 0) return;
    await tx.query(DROP, [chain, txHashes]);
    await this.settleAll(tx, states);
  }

  /** Waiting transfers whose coins another transaction spends; it alone can still be mined, or was. */
  private async findReplaced(tx: Queryable, chain: string, spends: readonly Spends[]): Promise<WaitingRow[]> {
    if (!spends.some(({ size }) => size > 0)) return [];
    const waiting = await tx.query<WaitingRow>(WAITING_INPUTS, [chain]);
    return waiting.filter(({ tx_hash: txHash, inputs }) =>
      inputs.some((outpoint) => spends.some((map) => (map.get(outpoint) ?? txHash) !== txHash)),
    );
  }

  private async replace(tx: Queryable, chain: string, replaced: readonly WaitingRow[]): Promise<void> {
    if (replaced.length > 0) await tx.query(REPLACE, [chain, replaced.map((row) => row.tx_hash)]);
  }

  /** @param block null: nothing holds it yet */
  private async record(
    tx: Queryable,
    states: readonly PaymentState[],
    chain: string,
    block: RecordedBlock | null,
    transfer: MatchedTransfer,
  ): Promise<void> {
    const state = states.find(({ payment }) => payment.id === transfer.paymentId);
    if (!state) throw new Error(`deposit address of an unknown payment ${transfer.paymentId}`);
    const now = this.clock.now();
    // A gateway that was down sees late what came in time: the block's own time decides (api.md H4).
    const cameAt = block && block.time < now ? block.time : now;
    const choice = quoteFor(state.payment, state.quotes, { ...transfer, chain }, cameAt);
    await tx.query(block ? RECORD : RECORD_SIGHTING, [
      newId(now),
      transfer.paymentId,
      state.payment.userId,
      transfer.depositAddressId,
      chain,
      transfer.txHash,
      transfer.ordinal,
      transfer.asset,
      transfer.currencyCode,
      transfer.assetDecimals,
      transfer.amount,
      block?.height ?? null,
      block?.hash ?? null,
      block?.time ?? null,
      transfer.confirmationsRequired,
      choice.quoteId,
      choice.isMatched,
      choice.isLate,
      now,
      transfer.inputs ?? null,
    ]);
  }

  private async settleAll(tx: Queryable, states: readonly PaymentState[]): Promise<void> {
    await refreshFacts(tx, states);
    for (const state of states) await this.mover.settle(tx, state);
  }
}
