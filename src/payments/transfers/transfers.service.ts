import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '../../chains/chain.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { floorOf } from '../../chains/floors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { failpoint } from '../../platform/kernel/failpoints.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { PaymentStateMachine } from '../payment-state-machine.service.js';
import {
  type NewTransfer,
  PaymentTransferRepository,
  type SpendingTransfer,
  type TransferEffect,
} from './payment-transfer.repository.js';
import { type AwaitingBlock, type Depth, TransferPlaceRepository } from './transfer-place.repository.js';
import { PaymentRepository } from '../payment.repository.js';
import type { PaymentAggregate } from '../payment.pure.js';
import { ofThem, SeparatePayments, type Work } from './separate-payments.service.js';
import { findMissing, type MissingTransfers } from './missing-transfers.pure.js';
import { matchQuote } from '../quotes/quote-matching.pure.js';
import { partOf } from '../quotes/weighing.pure.js';
import { requirementOfNew, underConfirmed } from '../confirmation-policy.pure.js';
import { markConfirmed, reachesDepth } from './transfer-state.pure.js';

/** A transfer to a deposit address of a payment. */
export interface MatchedTransfer {
  depositAddressId: string;
  paymentId: string;
  txHash: string;
  ordinal: string;
  asset: string;
  currencyCode: string;
  assetDecimals: number;
  amount: bigint;
  /** On UTXO chains, the outpoints that its transaction spends; absent or null elsewhere, and for a coinbase. */
  inputs?: string[] | null;
  isCoinbase?: boolean;
  /** It must not count before a second node has shown it. */
  awaitsAgreement?: boolean;
}

/** Outpoints, each with the hash of the transaction that spends it. */
type Spends = ReadonlyMap<string, string>;

/** The block of a transfer. */
export interface BlockPlace {
  height: number;
  hash: string;
  time: Date;
}

/** A transfer in a block. */
export interface MinedTransfer extends MatchedTransfer {
  block: BlockPlace;
}

/** One or more consecutive blocks, with the transfers to record. */
export interface RecordedBlocks {
  chain: string;
  /** Height of the newest of them, from which confirmations count. */
  height: number;
  transfers: readonly MinedTransfer[];
  /** The newest blocks that the chain calls final, as far as transfers wait for them. */
  final?: FinalHeights;
  /** On UTXO chains, the outpoints that the blocks spend. */
  spends?: readonly Spends[];
}

/** Heights by tag; one that is absent is not known, and nothing that waits for it counts. */
export type FinalHeights = Partial<Record<FinalityTag, number>>;

/** What is new in a mempool. */
export interface Sightings {
  chain: string;
  spends: Spends;
  transfers: MatchedTransfer[];
}

/** Below every block, while no final block is known. */
const NOTHING_FINAL = -1;

/** What blocks hold and change, for all payments concerned. */
interface FoundInBlocks {
  depth: Depth;
  /** Payments with transfers that are deep enough by their rows. */
  reaching: ReadonlySet<string>;
  replaced: readonly SpendingTransfer[];
  undone: readonly TransferEffect[];
  transfers: readonly MinedTransfer[];
}

/** The part of a transfer before which there was none; of any other, the state machine takes them all into account. */
function partOfFirst(
  { payment, quotes, transfers }: PaymentAggregate,
  quoteId: string | null,
  amount: bigint,
) {
  const quote = quotes.find(({ id }) => id === quoteId);
  if (!quote || transfers.length > 0) return null;
  return partOf(payment.amount, { numerator: amount, denominator: quote.assetAmount });
}

/**
 * Records what happened on the chains for the payments concerned. Every method that writes runs in the watcher's
 * transaction, after the cursor was moved, so that confirmations count from the block being applied.
 */
@Injectable()
export class TransfersService {
  constructor(
    private readonly clock: Clock,
    private readonly stateMachine: PaymentStateMachine,
    private readonly chains: ChainsService,
    private readonly payments: PaymentRepository,
    private readonly transfers: PaymentTransferRepository,
    private readonly places: TransferPlaceRepository,
    private readonly separate: SeparatePayments,
  ) {}

  /**
   * Records the transfers of blocks and confirms those that are now deep enough. Idempotent.
   * @param moved the statement that moves the cursor, sent already: it shares its round trip with the first that read,
   *   and nothing is written unless it resolves
   */
  async applyBlocks(blocks: RecordedBlocks, moved: Promise<void> = Promise.resolve()): Promise<void> {
    const { chain, height, transfers } = blocks;
    const { safe = NOTHING_FINAL, finalized = NOTHING_FINAL } = blocks.final ?? {};
    const isSettledByFinality = this.chains.get(chain).finality === 'finalized';
    const depth = { chain, height, safe, finalized, isSettledByFinality };
    const [reaching, replaced, undone] = await Promise.all([
      this.places.listPaymentsReachingDepth(depth),
      this.findReplaced(chain, blocks.spends ?? []),
      this.findUndone(chain, transfers),
      moved,
    ]);
    const paymentIds = [...reaching, ...[...replaced, ...undone, ...transfers].map((one) => one.paymentId)];
    if (paymentIds.length === 0) return;
    const found = { depth, reaching: new Set(reaching), replaced, undone, transfers };
    await this.separate.run({
      chain,
      paymentIds,
      all: (states, ids) => this.applyTo(states, ids, found),
      record: (states, ids) => this.transfers.recordMined(this.toRows(states, chain, ofThem(transfers, ids))),
    });
  }

  private async applyTo(
    states: readonly PaymentAggregate[],
    ids: ReadonlySet<string>,
    { depth, reaching, ...all }: FoundInBlocks,
  ): Promise<void> {
    const { chain } = depth;
    const [transfers, undone] = [ofThem(all.transfers, ids), ofThem(all.undone, ids)];
    const isReaching = states.some(({ payment }) => reaching.has(payment.id));
    await this.giveUpReplaced(chain, states, ofThem(all.replaced, ids));
    if (undone.length > 0) await this.transfers.releaseOrdinals(undone.map(({ id }) => id));
    if (transfers.length > 0) {
      const rows = this.toRows(states, chain, transfers);
      await this.payments.facts.refreshTransfers(states, this.transfers.recordMined(rows));
      failpoint('blocks.transfers-recorded');
      // Before anything is confirmed: these blocks may raise what earlier transfers of the payment need.
      await this.raiseRequirements(chain, states);
    }
    // What the rows say that they wait for is no more than a lower bound.
    else if (isReaching) await this.raiseRequirements(chain, states);
    if (isReaching || states.some((state) => reachesDepth(state.transfers, depth))) {
      // The others wait: a later block finds them once their rows are put back.
      const locked = states.filter(({ isAuthentic }) => isAuthentic).map(({ payment }) => payment.id);
      const now = this.clock.now();
      const confirmed = await this.places.confirm(depth, locked, now);
      markConfirmed(
        states.flatMap((state) => state.transfers),
        confirmed,
        now,
      );
    }
    await this.stateMachine.settleAll(states);
  }

  /**
   * Records those transfers of applied blocks that are not recorded yet, as {@link applyBlocks} would have done.
   * @param blocks with the height of the cursor, which must be locked
   */
  async recordMissing(blocks: RecordedBlocks): Promise<MissingTransfers<MinedTransfer>> {
    const hashes = [...new Set(blocks.transfers.map(({ txHash }) => txHash))];
    const recorded = await this.transfers.listInBlocks(blocks.chain, hashes);
    const found = findMissing(blocks.transfers, recorded);
    if (found.missing.length > 0) await this.applyBlocks({ ...blocks, transfers: found.missing });
    return found;
  }

  /**
   * Records what waits in a mempool, and gives up what it has replaced: old and new never count together.
   * @returns whether any of it concerned a payment
   */
  async applySightings({ chain, spends, transfers }: Sightings): Promise<boolean> {
    const replaced = await this.findReplaced(chain, [spends]);
    const paymentIds = [...replaced, ...transfers].map((one) => one.paymentId);
    if (paymentIds.length === 0) return false;
    const record: Work = async (states, ids) => {
      await this.giveUpReplaced(chain, states, ofThem(replaced, ids));
      const seen = ofThem(transfers, ids).map((transfer) => ({ ...transfer, block: null }));
      const rows = this.toRows(states, chain, seen);
      const writes = rows.length > 0 ? [this.transfers.recordSighted(rows)] : [];
      await this.payments.facts.refreshTransfers(states, ...writes);
    };
    await this.separate.run({ chain, paymentIds, record, all: this.settling(chain, record) });
    return true;
  }

  /** Blocks, at most 50, with pending transfers that a second node has not shown yet. */
  blocksAwaitingAgreement(chain: string): Promise<AwaitingBlock[]> {
    return this.places.listBlocksAwaitingAgreement(chain);
  }

  /** Lets transfers of a block count that a second node has shown by now. @param height of the newest applied block */
  async agree(chain: string, height: number, blockHash: string, txHashes: readonly string[]): Promise<void> {
    await this.places.markAgreed(chain, blockHash, txHashes);
    await this.applyBlocks({ chain, height, transfers: [] });
  }

  /** The tags of the chain that recorded transfers wait for. */
  awaitedTags(chain: string): Promise<FinalityTag[]> {
    return this.places.listAwaitedTags(chain);
  }

  /** Hashes of the transactions that a rollback to `height` would orphan. */
  transactionsAbove(chain: string, height: number): Promise<string[]> {
    return this.places.listHashesAbove(chain, height);
  }

  /**
   * Undoes everything above the common ancestor of a fork.
   * @param inMempool transactions that the node still has: they wait again
   */
  async rollBack(chain: string, height: number, inMempool: readonly string[]): Promise<void> {
    const paymentIds = await this.places.listPaymentsAbove(chain, height);
    if (paymentIds.length === 0) return;
    const record: Work = (states, ids) =>
      this.payments.facts.refreshTransfers(states, this.places.undoAbove(chain, height, inMempool, [...ids]));
    await this.separate.run({
      chain,
      paymentIds,
      record,
      all: this.settling(chain, record),
      isRecordRequired: true,
    });
  }

  /** Hashes of seen transactions that no block holds at the moment. */
  unminedTransactions(chain: string): Promise<string[]> {
    return this.transfers.listUnminedHashes(chain);
  }

  /**
   * Gives up the waiting transfers of some transactions; they come back if a block ever holds them.
   * @param gone `forgotten` by the node; `idle`: mined, but in their block they did not do this
   */
  async drop(
    chain: string,
    { forgotten, idle }: { forgotten: readonly string[]; idle: readonly string[] },
  ): Promise<void> {
    const paymentIds = await this.transfers.listPaymentsOfUnmined(chain, [...forgotten, ...idle]);
    if (paymentIds.length === 0) return;
    const record: Work = (states, ids) =>
      this.payments.facts.refreshTransfers(
        states,
        this.transfers.giveUpUnmined(chain, forgotten, 'dropped', [...ids]),
        this.transfers.giveUpUnmined(chain, idle, 'orphaned', [...ids]),
      );
    await this.separate.run({ chain, paymentIds, record, all: this.settling(chain, record) });
  }

  private settling(chain: string, record: Work): Work {
    return async (states, ids) => {
      await record(states, ids);
      await this.raiseRequirements(chain, states);
      await this.stateMachine.settleAll(states);
    };
  }

  /** Waiting transfers whose coins another transaction spends: only that one was mined, or can be. */
  private async findReplaced(chain: string, spends: readonly Spends[]): Promise<SpendingTransfer[]> {
    if (!spends.some(({ size }) => size > 0)) return [];
    const waiting = await this.transfers.listUnminedSpending(chain);
    return waiting.filter(({ txHash, inputs }) =>
      inputs?.some((outpoint) => spends.some((map) => (map.get(outpoint) ?? txHash) !== txHash)),
    );
  }

  /** The states' facts are fresh afterwards. */
  private async giveUpReplaced(
    chain: string,
    states: readonly PaymentAggregate[],
    replaced: readonly SpendingTransfer[],
  ): Promise<void> {
    if (replaced.length === 0) return;
    const hashes = replaced.map(({ txHash }) => txHash);
    await this.payments.facts.refreshTransfers(
      states,
      this.transfers.giveUpUnmined(
        chain,
        hashes,
        'replaced',
        states.map(({ payment }) => payment.id),
      ),
    );
  }

  /**
   * Transfers that no block holds, of transactions that these blocks mine again with another effect. Only account
   * chains have these: a contract may pay another address, less or nothing when its call finds another state.
   */
  private async findUndone(chain: string, transfers: readonly MinedTransfer[]): Promise<TransferEffect[]> {
    if (transfers.length === 0) return [];
    const hashes = [...new Set(transfers.map(({ txHash }) => txHash))];
    const earlier = await this.transfers.listOutsideBlocks(chain, hashes);
    const key = (one: Omit<TransferEffect, 'id' | 'paymentId'>) =>
      [one.txHash, one.ordinal, one.asset, one.amount, one.depositAddressId].join(' ');
    const mined = new Set(transfers.map(key));
    return earlier.filter((effect) => !mined.has(key(effect)));
  }

  /** The rows of transfers of locked payments. @param transfers without a block: no block holds them yet */
  private toRows(
    states: readonly PaymentAggregate[],
    chain: string,
    transfers: readonly (MatchedTransfer & { block: BlockPlace | null })[],
  ): NewTransfer[] {
    const now = this.clock.now();
    const stateOf = new Map(states.map((state) => [state.payment.id, state]));
    // A node may list a transfer twice, and one statement cannot write a row twice.
    const once = new Map(transfers.map((transfer) => [`${transfer.txHash} ${transfer.ordinal}`, transfer]));
    return [...once.values()].map((transfer) => {
      const state = stateOf.get(transfer.paymentId);
      if (!state) throw new Error(`deposit address of an unknown payment ${transfer.paymentId}`);
      return this.toRow(state, chain, transfer, now);
    });
  }

  private toRow(
    state: PaymentAggregate,
    chain: string,
    transfer: MatchedTransfer & { block: BlockPlace | null },
    now: Date,
  ): NewTransfer {
    const { block } = transfer;
    // A gateway that was down sees funds late that arrived in time, so the time of the block decides
    // (specification/payment-states.md#late-funds).
    const arrivedAt = block && block.time < now ? block.time : now;
    const choice = matchQuote(state.payment, state.quotes, { ...transfer, chain }, arrivedAt);
    // As if it were the only one; raiseRequirements() takes the payment's other transfers into account.
    const alone = { ...state, transfers: [] };
    const isCoinbase = transfer.isCoinbase ?? false;
    const known = this.chains.get(chain);
    const required = requirementOfNew(alone, known, transfer.asset, isCoinbase);
    const floor = floorOf(known, transfer);
    return {
      ...transfer,
      ...choice,
      id: newId(now),
      userId: state.payment.userId,
      chain,
      floor,
      // As if it were the only one; the state machine takes the payment's other transfers into account.
      isDust: transfer.amount < floor,
      creditedAmount: partOfFirst(state, choice.quoteId, transfer.amount),
      state: 'pending',
      blockHeight: block?.height ?? null,
      blockHash: block?.hash ?? null,
      blockTime: block?.time ?? null,
      confirmationsRequired: required.confirmations,
      finalityRequired: required.finality,
      seenAt: now,
      inputs: transfer.inputs ?? null,
      awaitsAgreement: transfer.awaitsAgreement ?? false,
    };
  }

  /**
   * Lets the waiting transfers of a payment in one asset wait for the same: what their sum demands. The states' facts must
   * be fresh, and are afterwards.
   */
  private async raiseRequirements(slug: string, states: readonly PaymentAggregate[]): Promise<void> {
    const chain = this.chains.get(slug);
    const unmet = states.flatMap((state) =>
      underConfirmed(state, chain).map(({ asset, confirmations, finality }) => ({
        paymentId: state.payment.id,
        asset,
        confirmationsRequired: confirmations,
        finalityRequired: finality,
      })),
    );
    if (unmet.length === 0) return;
    await this.payments.facts.refreshTransfers(states, this.places.raiseRequirements(slug, unmet));
  }
}
