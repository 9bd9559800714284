import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { Sql } from '../platform/database/sql.js';
import { parseTransactionHash } from './payout-address.pure.js';
import { reportRefusal, type ReportRefusal } from './refund-status.pure.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';
import { RefundsService } from './refunds.service.js';

/** What became of one refund that was reported as paid. */
export interface ReportedPayout {
  id: string;
  /** As it is now; null: it is not known, or its payment is stopped. */
  refund: Refund | null;
  /** Null: the transaction is recorded. */
  refusal: ReportRefusal | null;
}

/**
 * Records the transactions of many payouts at once: one may pay several refunds. All of it is one transaction of the
 * database, so that nothing is half reported; what cannot be recorded does not hold up the rest.
 */
@Injectable()
export class ReportedPayouts {
  private readonly logger = new Logger('Refunds');

  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly payments: PaymentsService,
    private readonly repository: RefundRepository,
    private readonly refunds: RefundsService,
    private readonly loops: PollingLoops,
  ) {}

  /**
   * In the order that was sent. Sending the same again changes nothing.
   * @param transactions the hash, as it was typed, by refund
   * @param owner whose application the caller has checked
   */
  async report(
    owner: { userId: string; applicationId: string },
    transactions: ReadonlyMap<string, string>,
  ): Promise<ReportedPayout[]> {
    const ids = [...transactions.keys()];
    const results = await this.sql.transaction(async () => {
      const found = await this.repository.listNamed(owner, ids);
      const paymentIds = new Set(found.flatMap(({ refund }) => refund?.paymentId ?? []));
      const states = await this.payments.lockAll([...paymentIds]);
      const usable = new Set(states.flatMap(({ payment, isAuthentic }) => (isAuthentic ? [payment.id] : [])));
      const done: ReportedPayout[] = [];
      const recorded: Refund[] = [];
      for (const { id, refund, txHash } of this.inOneOrder(found, transactions)) {
        if (!refund || !usable.has(refund.paymentId)) {
          done.push({ id, refund: null, refusal: 'stopped' });
          continue;
        }
        const locked = await this.repository.lock(id);
        const refusal = await this.refusalOf(locked, txHash);
        if (refusal === null && txHash !== null && (await this.refunds.writeTransaction(locked, txHash)))
          recorded.push(locked);
        done.push({ id, refund: locked, refusal });
      }
      // From the first entry on every other recorded action waits.
      for (const refund of recorded) await this.refunds.noticeTransaction(refund);
      if (recorded.length > 0) this.loops.wake(LoopName.Refunds);
      return new Map(done.map((result) => [result.id, result]));
    });
    this.logger.log({ applicationId: owner.applicationId, refunds: ids.length }, 'payouts reported');
    return ids.map((id) => results.get(id) ?? { id, refund: null, refusal: 'unknown' });
  }

  /** The database has refunds of one transaction wait for each other: two reports must meet in the same order. */
  private inOneOrder(
    found: readonly { id: string; refund: Refund | null }[],
    transactions: ReadonlyMap<string, string>,
  ): { id: string; refund: Refund | null; txHash: string | null }[] {
    return found
      .map(({ id, refund }) => {
        const chain = refund && this.chains.find(refund.chain);
        const txHash = chain ? parseTransactionHash(chain, transactions.get(id) ?? '') : null;
        return { id, refund, txHash, place: `${refund?.chain} ${txHash} ${id}` };
      })
      .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  }

  private async refusalOf(refund: Refund, txHash: string | null): Promise<ReportRefusal | null> {
    const refusal = reportRefusal(refund, txHash);
    if (refusal !== null || txHash === null) return refusal;
    return (await this.repository.isTransactionTaken(refund, txHash)) ? 'taken' : null;
  }
}
