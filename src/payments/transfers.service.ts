import { Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { newId } from '../platform/runtime/ids.pure.js';
import type { Queryable } from '../platform/database/sql.js';
import { bulkInsert, type BulkStatement, rowsOf } from '../platform/database/entity-sql.js';
import { PaymentTransferEntity } from './payment-transfer.entity.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { lockForUpdate, refreshTransfers } from './payment.repository.js';
import type { PaymentAggregate } from './payment.pure.js';
import { matchQuote } from './quote-matching.pure.js';
import { requiredConfirmationsOf, underConfirmed } from './confirmation-policy.pure.js';

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
}

/** Outpoints that transactions spend, each with the hash of the spending one. */
type Spends = ReadonlyMap<string, string>;

/** Which block holds a transfer. */
export interface BlockPlace {
  height: number;
  hash: string;
  time: Date;
}

/** A transfer in the block that holds it. */
export interface MinedTransfer extends MatchedTransfer {
  block: BlockPlace;
}

/** One or more blocks in a row whose transfers are to be recorded. */
export interface RecordedBlocks {
  chain: string;
  /** Of the newest of them: depth counts from there. */
  height: number;
  transfers: readonly MinedTransfer[];
  /** Chains settled by finality: nothing above this height is confirmed; null when it is not known. */
  finalHeight?: number | null;
  /** UTXO chains: outpoints that the blocks spend. */
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
const NEW_TRANSFER = [
  'id',
  'paymentId',
  'userId',
  'depositAddressId',
  'chain',
  'txHash',
  'ordinal',
  'asset',
  'currencyCode',
  'assetDecimals',
  'amount',
  'state',
  'blockHeight',
  'blockHash',
  'blockTime',
  'confirmationsRequired',
  'quoteId',
  'isMatched',
  'isLate',
  'seenAt',
  'inputs',
] as const;
type NewTransfer = Pick<PaymentTransferEntity, (typeof NEW_TRANSFER)[number]>;

// A replay changes nothing; a transaction that is mined again keeps its row, its first sight and its quote.
const RECORD = bulkInsert(
  PaymentTransferEntity,
  NEW_TRANSFER,
  `on conflict (chain, tx_hash, ordinal) do update
    set state = 'pending', block_height = excluded.block_height, block_hash = excluded.block_hash,
      block_time = excluded.block_time, confirmed_at = null
    where payment_transfers.block_hash is distinct from excluded.block_hash`,
);
// A sighting takes nothing from what a block shows; what was given up waits again.
const RECORD_SIGHTING = bulkInsert(
  PaymentTransferEntity,
  NEW_TRANSFER,
  `on conflict (chain, tx_hash, ordinal) do update set state = 'pending'
    where payment_transfers.block_height is null and payment_transfers.state <> 'pending'`,
);
const RAISED = rowsOf(PaymentTransferEntity, ['paymentId', 'asset', 'confirmationsRequired'], {
  after: 1,
  as: 'd',
});
const RAISE = `
  update payment_transfers t set confirmations_required = d.confirmations_required from ${RAISED.from}
  where t.payment_id = d.payment_id and t.chain = $1 and t.asset = d.asset and t.state = 'pending'
    and t.confirmations_required < d.confirmations_required`;
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
  update payment_transfers set state = $3
  where chain = $1 and tx_hash = any($2::text[]) and state = 'pending' and block_height is null`;
const UNPLACED = `
  select id, payment_id, tx_hash, ordinal, asset, amount, deposit_address_id from payment_transfers
  where chain = $1 and tx_hash = any($2::text[]) and block_height is null and position('~' in ordinal) = 0`;
// Its place in the transaction belongs to what the transaction does now (payment_transfers.ordinal in
// migrations/0001-baseline/transfers.sql).
const GIVE_UP_PLACE = `
  update payment_transfers set state = 'orphaned', ordinal = ordinal || '~' || id where id = any($1::uuid[])`;
const TRANSACTIONS_ABOVE = `select distinct tx_hash from payment_transfers where chain = $1 and block_height > $2`;

interface PaymentId {
  payment_id: string;
}

interface UnplacedRow extends PaymentId {
  id: string;
  tx_hash: string;
  ordinal: string;
  asset: string;
  amount: string;
  deposit_address_id: string;
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
    private readonly mover: PaymentStateMachine,
    private readonly chains: ChainsService,
  ) {}

  /** Records the transfers of blocks and confirms those that are now buried deep enough. Idempotent. */
  async applyBlocks(tx: Queryable, blocks: RecordedBlocks): Promise<void> {
    const { chain, height, transfers } = blocks;
    const final = blocks.finalHeight === undefined ? null : (blocks.finalHeight ?? NOTHING_FINAL);
    const [reaching, replaced, undone] = await Promise.all([
      tx.query<PaymentId>(REACHING_DEPTH, [chain, height, final]),
      this.findReplaced(tx, chain, blocks.spends ?? []),
      this.findUndone(tx, chain, transfers),
    ]);
    const ids = [
      ...[...reaching, ...replaced, ...undone].map((row) => row.payment_id),
      ...transfers.map((transfer) => transfer.paymentId),
    ];
    if (ids.length === 0) return;
    const states = await lockForUpdate(tx, [...new Set(ids)]);
    await this.replace(tx, chain, replaced);
    if (undone.length > 0) await tx.query(GIVE_UP_PLACE, [undone.map(({ id }) => id)]);
    if (transfers.length > 0) {
      await refreshTransfers(tx, states, this.record(tx, RECORD, states, chain, transfers));
      failpoint('blocks.transfers-recorded');
      // Before anything is confirmed: what these blocks brought may demand more of what came before.
      await this.raiseDemands(tx, chain, states);
    }
    const locked = states.map(({ payment }) => payment.id);
    const confirmed = tx.query(CONFIRM, [chain, height, this.clock.now(), locked, final]);
    await refreshTransfers(tx, states, confirmed);
    await this.mover.settleAll(tx, states);
  }

  /**
   * Records what waits in a mempool, and gives up what it has replaced: old and new never count together.
   * @returns whether anything of ours was among it
   */
  async applySightings(tx: Queryable, { chain, spends, transfers }: Sightings): Promise<boolean> {
    const replaced = await this.findReplaced(tx, chain, [spends]);
    const ids = [...replaced.map((row) => row.payment_id), ...transfers.map(({ paymentId }) => paymentId)];
    if (ids.length === 0) return false;
    const states = await lockForUpdate(tx, [...new Set(ids)]);
    await this.replace(tx, chain, replaced);
    const waiting = transfers.map((transfer) => ({ ...transfer, block: null }));
    await refreshTransfers(tx, states, this.record(tx, RECORD_SIGHTING, states, chain, waiting));
    await this.raiseDemands(tx, chain, states);
    await this.mover.settleAll(tx, states);
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
    const states = await lockForUpdate(
      tx,
      affected.map((row) => row.payment_id),
    );
    if (states.length === 0) return;
    await refreshTransfers(tx, states, tx.query(ORPHAN, [chain, height, inMempool]));
    await this.raiseDemands(tx, chain, states);
    await this.mover.settleAll(tx, states);
  }

  /** Hashes of seen transactions that no block holds at the moment. */
  async unminedTransactions(db: Queryable, chain: string): Promise<string[]> {
    return (await db.query<{ tx_hash: string }>(UNMINED, [chain])).map((row) => row.tx_hash);
  }

  /**
   * Gives up what waits of some transactions; it comes back by itself if a block ever holds it.
   * @param gone `forgotten` by the node; `idle`: mined, but in their block they did not do this
   */
  async drop(
    tx: Queryable,
    chain: string,
    { forgotten, idle }: { forgotten: readonly string[]; idle: readonly string[] },
  ): Promise<void> {
    const affected = await tx.query<PaymentId>(OF_TRANSACTIONS, [chain, [...forgotten, ...idle]]);
    const states = await lockForUpdate(
      tx,
      affected.map((row) => row.payment_id),
    );
    if (states.length === 0) return;
    await refreshTransfers(
      tx,
      states,
      tx.query(DROP, [chain, forgotten, 'dropped']),
      tx.query(DROP, [chain, idle, 'orphaned']),
    );
    await this.mover.settleAll(tx, states);
  }

  /** Waiting transfers whose coins another transaction spends; it alone can still be mined, or was. */
  private async findReplaced(tx: Queryable, chain: string, spends: readonly Spends[]): Promise<WaitingRow[]> {
    if (!spends.some(({ size }) => size > 0)) return [];
    const waiting = await tx.query<WaitingRow>(WAITING_INPUTS, [chain]);
    return waiting.filter(({ tx_hash: txHash, inputs }) =>
      inputs.some((outpoint) => spends.some((map) => (map.get(outpoint) ?? txHash) !== txHash)),
    );
  }

  /**
   * Transfers that no block holds, of transactions that these blocks mine again with another effect. Only on account
   * chains can that be: a contract may pay somebody else, less or nothing when its call finds another state.
   */
  private async findUndone(
    tx: Queryable,
    chain: string,
    transfers: readonly MinedTransfer[],
  ): Promise<UnplacedRow[]> {
    if (transfers.length === 0) return [];
    const hashes = [...new Set(transfers.map(({ txHash }) => txHash))];
    const rows = await tx.query<UnplacedRow>(UNPLACED, [chain, hashes]);
    const effect = (...parts: (string | bigint)[]) => parts.join(' ');
    const done = new Set(
      transfers.map((one) => effect(one.txHash, one.ordinal, one.asset, one.amount, one.depositAddressId)),
    );
    return rows.filter(
      (row) => !done.has(effect(row.tx_hash, row.ordinal, row.asset, row.amount, row.deposit_address_id)),
    );
  }

  private async replace(tx: Queryable, chain: string, replaced: readonly WaitingRow[]): Promise<void> {
    if (replaced.length > 0) await tx.query(REPLACE, [chain, replaced.map((row) => row.tx_hash)]);
  }

  /** One statement, sent at once. @param transfers with no block: nothing holds them yet */
  private record(
    tx: Queryable,
    statement: BulkStatement<NewTransfer>,
    states: readonly PaymentAggregate[],
    chain: string,
    transfers: readonly (MatchedTransfer & { block: BlockPlace | null })[],
  ): Promise<unknown> {
    if (transfers.length === 0) return Promise.resolve();
    const now = this.clock.now();
    const stateOf = new Map(states.map((state) => [state.payment.id, state]));
    // A node may list a transfer twice, and one statement cannot write a row twice.
    const once = new Map(transfers.map((transfer) => [`${transfer.txHash} ${transfer.ordinal}`, transfer]));
    const rows = [...once.values()].map((transfer): NewTransfer => {
      const state = stateOf.get(transfer.paymentId);
      if (!state) throw new Error(`deposit address of an unknown payment ${transfer.paymentId}`);
      const { block } = transfer;
      // A gateway that was down sees late what came in time: the block's own time decides
      // (specification/payment-states.md#late-funds).
      const cameAt = block && block.time < now ? block.time : now;
      const choice = matchQuote(state.payment, state.quotes, { ...transfer, chain }, cameAt);
      // As if it came alone; raiseDemands() adds what else the payment has.
      const alone = { ...state, transfers: [] };
      const confirmationsRequired = requiredConfirmationsOf(alone, this.chains.get(chain), transfer.asset);
      return {
        ...transfer,
        ...choice,
        id: newId(now),
        userId: state.payment.userId,
        chain,
        state: 'pending',
        blockHeight: block?.height ?? null,
        blockHash: block?.hash ?? null,
        blockTime: block?.time ?? null,
        confirmationsRequired,
        seenAt: now,
        inputs: transfer.inputs ?? null,
      };
    });
    return tx.query(statement.text, statement.values(rows));
  }

  /**
   * Waiting transfers of one payment in one asset wait alike, for what all of it together demands. The states' facts
   * must be fresh, and are afterwards.
   */
  private async raiseDemands(
    tx: Queryable,
    slug: string,
    states: readonly PaymentAggregate[],
  ): Promise<void> {
    const chain = this.chains.get(slug);
    const unmet = states.flatMap((state) =>
      underConfirmed(state, chain).map(({ asset, confirmations }) => ({
        paymentId: state.payment.id,
        asset,
        confirmationsRequired: confirmations,
      })),
    );
    if (unmet.length === 0) return;
    const raised = tx.query(RAISE, [slug, ...RAISED.values(unmet)]);
    await refreshTransfers(tx, states, raised);
  }
}
