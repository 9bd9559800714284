import { Inject, Injectable } from '@nestjs/common';
import { ChainsService } from '../../chains/chains.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { CONFIG, type Config } from '../../config.js';
import type { RecordedOwnFunds } from '../../payments/own-funds/own-funds.service.js';
import {
  DepositAddressesService,
  type RecordedDepositAddress,
} from '../../wallets/deposit-addresses.service.js';
import { type ChainComparison, ChainComparer } from './chain-comparison.service.js';
import {
  type BatchResult,
  type Difference,
  inBoth,
  NOTHING,
  problemOf,
  type UnattributedDeposit,
} from './reconciliation-report.pure.js';
import type { StoredTransfer } from './reconciliation.repository.js';
import { type Records, RecordsReader, sizeOf } from './records-reader.service.js';
import { MAX_READINGS, pauseBetweenReadings } from './repeated-reading.js';
import { auditDepth, type RecordedTransfer } from './transfer-audit.pure.js';
import type { Unspent } from './unspent-outputs.service.js';

/** Milliseconds. That long after a reorganization confirmed transfers may be less deep, until new blocks have come. */
const REORG_MEMORY_MS = 3_600_000;

/** What is compared with each chain. */
export interface ComparedChains {
  /** Slugs. */
  comparable: ReadonlySet<string>;
  /** Of chains that list them, by slug. */
  unspent: ReadonlyMap<string, Unspent>;
}

/** Result of comparing one batch of payments. */
export interface CheckedBatch extends BatchResult {
  /** Why a chain could not be compared, by slug. */
  failures: ReadonlyMap<string, string>;
}

/** Compares the records of a batch of payments with each other and with the chains. */
@Injectable()
export class BatchCheck {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly records: RecordsReader,
    private readonly chains: ChainsService,
    private readonly comparer: ChainComparer,
    private readonly depositAddresses: DepositAddressesService,
  ) {}

  /**
   * Reads until two readings agree: a difference that only one of them has comes from the gateway's own work.
   */
  async run(paymentIds: readonly string[], chains: ComparedChains): Promise<CheckedBatch> {
    let before: CheckedBatch | null = null;
    for (let reading = 1; ; reading++) {
      const batch = await this.compareOnce(paymentIds, chains);
      const isComplete = batch.failures.size === 0;
      if (isComplete && batch.differences.length === 0) return batch;
      if (isComplete && before)
        return { ...batch, differences: inBoth(before.differences, batch.differences) };
      if (reading === MAX_READINGS) return batch;
      before = isComplete ? batch : null;
      const compared = this.chains.list().filter(({ slug }) => chains.comparable.has(slug));
      await pauseBetweenReadings(this.config, compared);
    }
  }

  private async compareOnce(paymentIds: readonly string[], chains: ComparedChains): Promise<CheckedBatch> {
    const records = await this.records.read(paymentIds);
    const counts = { ...NOTHING, ...sizeOf(records) };
    const differences = [
      ...records.payments.flatMap(({ paymentId, findings }) =>
        findings.map((finding) => ({ chain: null, paymentId, ...finding })),
      ),
      ...(await this.checkAddresses(paymentIds)),
      ...this.checkDepths(records),
      ...records.unplaced.map(toDifference),
      ...records.own.flatMap((one) => (one.isAuthentic ? [] : [ofOwnFunds(one)])),
    ];
    const failures = new Map<string, string>();
    for (const chain of records.cursors.keys()) {
      if (!chains.comparable.has(chain)) continue;
      try {
        const found = await this.compareChain(chain, records, chains.unspent.get(chain) ?? null);
        if (!found) continue;
        differences.push(...found.differences);
        counts.transfersOnChain += found.transfersOnChain;
        counts.balances += found.balances;
        counts.balancesSpent += found.balancesSpent;
      } catch (error) {
        failures.set(chain, problemOf(error));
      }
    }
    const unattributed = records.transfers.flatMap((transfer) => toUnattributed(transfer) ?? []);
    return { counts, differences, unattributed, failures };
  }

  /** At the cursor, so that blocks that are newer make no difference. Null for an unknown chain. */
  private async compareChain(
    slug: string,
    { addresses, transfers, own, cursors }: Records,
    unspent: Unspent | null,
  ): Promise<ChainComparison | null> {
    const chain = this.chains.find(slug);
    const cursor = cursors.get(slug);
    if (!chain || !cursor) return null;
    return this.comparer.compare(
      slug,
      cursor,
      addresses.filter(({ family }) => family === chain.family),
      [...transfers, ...asTransfers(own, addresses)].filter((transfer) => transfer.chain === slug),
      unspent,
    );
  }

  /** Every address is as it was written, and the one that its wallet's key derives. */
  private async checkAddresses(paymentIds: readonly string[]): Promise<Difference[]> {
    const families = new Set(this.chains.list().map(({ family }) => family));
    const wrong = await this.depositAddresses.audit(paymentIds);
    return wrong
      .filter(({ family }) => families.has(family))
      .map(({ paymentId, family, address, expected }) => ({
        check: 'address',
        chain: null,
        paymentId,
        subject: family,
        expected,
        found: address,
      }));
  }

  private checkDepths({ transfers, cursors, statuses }: Records): Difference[] {
    const now = this.clock.now().getTime();
    return transfers.flatMap((transfer) => {
      const cursor = cursors.get(transfer.chain);
      if (!cursor) return [];
      const reorgs = statuses.get(transfer.chain)?.condition?.reorgs;
      const isRecent = reorgs?.lastAt && now - reorgs.lastAt.getTime() < REORG_MEMORY_MS;
      const isByFinality =
        transfer.finalityRequired === null && this.chains.find(transfer.chain)?.finality === 'finalized';
      return auditDepth(transfer, cursor, isByFinality ? null : isRecent ? reorgs.lastDepth : 0) ?? [];
    });
  }
}

/** What explains a balance as transfers do. What the gateway did not write explains nothing. */
function asTransfers(
  own: readonly RecordedOwnFunds[],
  addresses: readonly RecordedDepositAddress[],
): RecordedTransfer[] {
  const byId = new Map(addresses.map((one) => [one.id, one]));
  return own.flatMap(({ depositAddressId, blockHeight: height, isAuthentic, ...one }): RecordedTransfer[] => {
    const found = byId.get(depositAddressId);
    if (!isAuthentic || !found) return [];
    const { address, key } = found;
    const settled = { state: 'confirmed', confirmationsRequired: 0, finalityRequired: null } as const;
    return [
      { ...one, ...settled, asset: 'native', height, awaitsAgreement: false, isMatched: true, address, key },
    ];
  });
}

function ofOwnFunds({ chain, paymentId, txHash, ordinal, amount }: RecordedOwnFunds): Difference {
  return {
    check: 'integrity',
    chain,
    paymentId,
    subject: `own funds ${txHash} ${ordinal}`,
    expected: 'a row as the gateway wrote it',
    found: `${amount} that no key of APP_KEYS authenticates`,
  };
}

function toDifference({ chain, paymentId, txHash, ordinal, depositAddressId }: StoredTransfer): Difference {
  const [expected, found] = ['a deposit address of its payment', `address ${depositAddressId}`];
  return {
    check: 'attribution',
    chain,
    paymentId,
    subject: `transfer ${txHash} ${ordinal}`,
    expected,
    found,
  };
}

/** Null for a transfer that is credited, or that no longer exists on its chain. */
function toUnattributed(transfer: RecordedTransfer): UnattributedDeposit | null {
  const { isMatched, state } = transfer;
  if (isMatched || (state !== 'pending' && state !== 'confirmed')) return null;
  const { paymentId, chain, address, txHash, ordinal, asset, currencyCode, amount, decimals } = transfer;
  return { paymentId, chain, address, txHash, ordinal, asset, currencyCode, amount, decimals, state };
}
