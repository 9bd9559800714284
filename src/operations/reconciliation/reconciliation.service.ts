import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import { ChainHealthService, type ChainStatus } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { UnsealError } from '../../platform/security/keyring.js';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { type CheckedPayment, PaymentInvariantsService } from '../../payments/payment-invariants.service.js';
import { AddressIntegrityError, DepositAddressesService } from '../../wallets/deposit-addresses.service.js';
import { WalletNetworkError } from '../../wallets/wallet-keys.service.js';
import { ChainComparer, type RecordedAddress } from './chain-comparison.service.js';
import {
  type BatchResult,
  type Counts,
  type Difference,
  inBoth,
  NOTHING,
  type Report,
  ReportBuilder,
  type UnattributedDeposit,
} from './reconciliation-report.pure.js';
import { auditDepth, type RecordedTransfer } from './transfer-audit.pure.js';
import { type Unspent, UnspentOutputs } from './unspent-outputs.service.js';

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

const KEEP = `
  insert into reconciliation_state (finished_at, differences, left_out) values ($1, $2, $3)
  on conflict (only_one) do update
    set finished_at = excluded.finished_at, differences = excluded.differences, left_out = excluded.left_out`;

/** Payments of one snapshot. */
const BATCH = 100;
/** Readings of one batch: two that agree settle it, and a node may fail in between. */
const LOOKS = 4;
/** Milliseconds: confirmed depth may be short for this long after a reorg, until blocks have come again. */
const REORG_MEMORY = 3_600_000;

export interface ReconciliationOptions {
  /** Differences, and unattributed deposits, that are listed one by one. */
  limit: number;
  /** Milliseconds; null: until everything is compared. */
  budget: number | null;
}

interface Cursor extends BlockRef {
  chain: string;
  isHalted: boolean;
}

/** A snapshot of the records. */
interface Books {
  payments: CheckedPayment[];
  addresses: (RecordedAddress & { family: string })[];
  transfers: RecordedTransfer[];
  cursors: Map<string, Cursor>;
  judged: Map<string, ChainStatus>;
}

/** A look at one batch; `failures` by chain. */
interface Look extends BatchResult {
  lastId: string | null;
  failures: Map<string, string>;
}

/**
 * Recomputes what the books say from the chains and from the facts. Reads, and keeps how it ended; a batch of payments at a time,
 * each from one moment of the database and compared with the chain at that moment's cursor: blocks that are newer
 * make no difference, and the gateway may go on.
 */
@Injectable()
export class Reconciliation {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
    private readonly payments: PaymentInvariantsService,
    private readonly depositAddresses: DepositAddressesService,
    private readonly comparer: ChainComparer,
    private readonly unspentOutputs: UnspentOutputs,
  ) {}

  async run({ limit, budget }: ReconciliationOptions): Promise<Report> {
    const startedAt = performance.now();
    const report = new ReportBuilder(this.clock.now(), limit);
    const readable = await this.checkCursors(report);
    // A scan takes minutes: only callers without a time limit wait for it.
    const unspent = budget === null ? await this.scan(report, readable) : new Map<string, Unspent>();
    for (let after: string | null = null; ;) {
      if (budget !== null && performance.now() - startedAt > budget) {
        report.leaveOut(`stopped after ${budget / 1_000} s; the command line has no limit`);
        break;
      }
      const look = await this.examine(after, readable, unspent);
      for (const [chain, problem] of look.failures) {
        readable.delete(chain);
        this.leaveOut(report, chain, problem);
      }
      report.add(look);
      if (look.lastId === null) break;
      after = look.lastId;
    }
    const built = report.build(this.clock.now());
    await this.sql.query(KEEP, [built.finishedAt, built.differenceCount, built.notChecked.length]);
    return built;
  }

  /** Every cursor stands on a block of its chain. Answers the chains that can be read. */
  private async checkCursors(report: ReportBuilder): Promise<Set<string>> {
    const readable = new Set<string>();
    const cursors = new Map((await this.readCursors(this.sql)).map((cursor) => [cursor.chain, cursor]));
    for (const { slug } of this.chains.list()) {
      const first = cursors.get(slug);
      report.chains.push({
        chain: slug,
        height: first?.height ?? null,
        hash: first?.hash ?? null,
        isHalted: first?.isHalted ?? false,
        problem: null,
      });
      if (!first) continue;
      try {
        const difference = await this.checkCursor(slug);
        if (difference) report.addDifference(difference);
        else readable.add(slug);
        if (difference)
          this.leaveOut(report, slug, 'its cursor stands on a block that the chain does not have');
      } catch (error) {
        this.leaveOut(report, slug, messageOf(error));
      }
    }
    for (const chain of cursors.keys())
      if (!this.chains.find(chain)) report.leaveOut(`${chain}: not configured any more`);
    return readable;
  }

  /** What UTXO addresses hold, by chain; what is not told there is compared without it. */
  private async scan(report: ReportBuilder, readable: ReadonlySet<string>): Promise<Map<string, Unspent>> {
    const unspent = new Map<string, Unspent>();
    for (const slug of readable) {
      try {
        const found = await this.unspentOutputs.find(slug);
        if (found) unspent.set(slug, found);
      } catch (error) {
        report.leaveOut(`${slug}: what its addresses hold: ${messageOf(error)}`);
      }
    }
    return unspent;
  }

  private leaveOut(report: ReportBuilder, slug: string, problem: string): void {
    const entry = report.chains.find(({ chain }) => chain === slug);
    if (entry) entry.problem = problem;
    report.leaveOut(`${slug}: ${problem}`);
  }

  /** Asked again while a reorg may be under way. */
  private async checkCursor(slug: string): Promise<Difference | null> {
    for (let look = 1; ; look++) {
      const cursor = (await this.readCursors(this.sql)).find(({ chain }) => chain === slug);
      if (!cursor) return null;
      const header = await this.chains.adapter(slug).header(cursor.height);
      if (header === null) throw new Error(`the node does not have block ${cursor.height} yet`);
      if (header.hash === cursor.hash) return null;
      if (look === LOOKS) {
        const subject = `block ${cursor.height}`;
        return {
          check: 'cursor',
          chain: slug,
          paymentId: null,
          subject,
          expected: header.hash,
          found: cursor.hash,
        };
      }
      await this.wait();
    }
  }

  /** Looks until two agree: a difference in only one of them was the gateway at work. */
  private async examine(
    after: string | null,
    readable: ReadonlySet<string>,
    unspent: ReadonlyMap<string, Unspent>,
  ): Promise<Look> {
    let before: Look | null = null;
    for (let count = 1; ; count++) {
      const look = await this.look(after, readable, unspent);
      const isComplete = look.failures.size === 0;
      if (isComplete && look.differences.length === 0) return look;
      if (isComplete && before) return { ...look, differences: inBoth(before.differences, look.differences) };
      if (count === LOOKS) return look;
      before = isComplete ? look : null;
      await this.wait();
    }
  }

  /** Long enough for a watcher at work to finish a step. */
  private async wait(): Promise<void> {
    await pause(2 * this.config.chainPollIntervalMs);
  }

  private async look(
    after: string | null,
    readable: ReadonlySet<string>,
    unspent: ReadonlyMap<string, Unspent>,
  ): Promise<Look> {
    const books = await this.sql.snapshot((tx) => this.read(tx, after));
    const counts: Counts = { ...NOTHING, ...sizeOf(books) };
    const differences = [
      ...books.payments.flatMap(({ paymentId, findings }) =>
        findings.map((finding) => ({ chain: null, paymentId, ...finding })),
      ),
      ...(await this.checkAddresses(books)),
      ...this.checkDepths(books),
    ];
    const failures = new Map<string, string>();
    for (const [chain, cursor] of books.cursors) {
      const known = this.chains.find(chain);
      if (!known || !readable.has(chain)) continue;
      const addresses = books.addresses.filter(({ family }) => family === known.family);
      const transfers = books.transfers.filter((transfer) => transfer.chain === chain);
      try {
        const found = await this.comparer.compare(
          chain,
          cursor,
          addresses,
          transfers,
          unspent.get(chain) ?? null,
        );
        differences.push(...found.differences);
        counts.transfersOnChain += found.transfersOnChain;
        counts.balances += found.balances;
        counts.balancesSpent += found.balancesSpent;
      } catch (error) {
        failures.set(chain, messageOf(error));
      }
    }
    const unattributed = books.transfers.flatMap((transfer) => toUnattributed(transfer) ?? []);
    const lastId = books.payments.length === BATCH ? (books.payments.at(-1)?.paymentId ?? null) : null;
    return { counts, differences, unattributed, lastId, failures };
  }

  private async read(tx: Queryable, after: string | null): Promise<Books> {
    const payments = await this.payments.auditBatch(tx, after, BATCH);
    const ids = payments.map(({ paymentId }) => paymentId);
    const cursors = await this.readCursors(tx);
    const watched = cursors.map(({ chain }) => chain).filter((chain) => this.chains.find(chain));
    const judged = await this.conditions.statusesOf(watched, tx);
    const transfers = await tx.query<RecordedTransfer & { amount: string; height: string | null }>(
      TRANSFERS,
      [ids],
    );
    return {
      payments,
      addresses: await tx.query<RecordedAddress & { family: string }>(ADDRESSES, [ids]),
      transfers: transfers.map((row) => ({
        ...row,
        amount: BigInt(row.amount),
        height: row.height === null ? null : Number(row.height),
      })),
      cursors: new Map(cursors.map((cursor) => [cursor.chain, cursor])),
      judged: new Map(watched.flatMap((chain, i) => (judged[i] ? [[chain, judged[i]] as const] : []))),
    };
  }

  private async readCursors(db: Queryable): Promise<Cursor[]> {
    const rows = await db.query<Omit<Cursor, 'height'> & { height: string }>(CURSORS);
    return rows.map((row) => ({ ...row, height: Number(row.height) }));
  }

  /** Every address is what its wallet's key derives. */
  private async checkAddresses({ addresses }: Books): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const { paymentId, family, address } of addresses) {
      const known = this.chains.list().find((chain) => chain.family === family);
      if (!known) continue;
      try {
        await this.depositAddresses.find(paymentId, known.family);
      } catch (error) {
        // A key that is damaged, of other APP_KEYS or of another network proves nothing about its addresses.
        const isUnreadable = error instanceof UnsealError || error instanceof WalletNetworkError;
        if (!isUnreadable && !(error instanceof AddressIntegrityError)) throw error;
        const expected = isUnreadable
          ? "a wallet's key that can be read"
          : "the address that the wallet's key derives";
        differences.push({
          check: 'address',
          chain: null,
          paymentId,
          subject: family,
          expected,
          found: address,
        });
      }
    }
    return differences;
  }

  private checkDepths({ transfers, cursors, judged }: Books): Difference[] {
    const now = this.clock.now().getTime();
    return transfers.flatMap((transfer) => {
      const cursor = cursors.get(transfer.chain);
      if (!cursor) return [];
      const reorgs = judged.get(transfer.chain)?.condition?.reorgs;
      const isRecent = reorgs?.lastAt && now - reorgs.lastAt.getTime() < REORG_MEMORY;
      const isByFinality = this.chains.find(transfer.chain)?.finality === 'finalized';
      return auditDepth(transfer, cursor, isByFinality ? null : isRecent ? reorgs.lastDepth : 0) ?? [];
    });
  }
}

function sizeOf({ payments, addresses, transfers }: Books) {
  const sum = (of: 'quotes' | 'statusEntries' | 'events') =>
    payments.reduce((total, payment) => total + payment[of], 0);
  return {
    payments: payments.length,
    statusEntries: sum('statusEntries'),
    events: sum('events'),
    quotes: sum('quotes'),
    transfers: transfers.length,
    depositAddresses: addresses.length,
  };
}

/** Null for a transfer that counts, or that was taken back. */
function toUnattributed(transfer: RecordedTransfer): UnattributedDeposit | null {
  const { isMatched, state } = transfer;
  if (isMatched || (state !== 'pending' && state !== 'confirmed')) return null;
  const { paymentId, chain, address, txHash, ordinal, asset, currencyCode, amount, decimals } = transfer;
  return { paymentId, chain, address, txHash, ordinal, asset, currencyCode, amount, decimals, state };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
