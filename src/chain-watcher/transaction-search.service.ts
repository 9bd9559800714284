import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import type { Finding, UnlistedToken } from '../payments/transfers/reported-transaction.pure.js';
import {
  type ReportedTransaction,
  ReportedTransactions,
} from '../payments/transfers/reported-transactions.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import { RescanService } from './rescan.service.js';

/** Transactions per turn: what a node is asked at once. */
const BATCH = 5;
/** What a column holds; nothing real has so many units. */
const MAX_AMOUNT = 10n ** 78n - 1n;

/**
 * Looks for the transactions that customers name (specification/checkout.md#already-paid). It credits nothing by itself:
 * when one pays a deposit address, its block is read again as `rescan` does, and whatever was missed in it is recorded.
 */
@Injectable()
export class TransactionSearch {
  private readonly logger = new Logger('TransactionSearch');

  constructor(
    private readonly chains: ChainsService,
    private readonly reported: ReportedTransactions,
    private readonly depositAddresses: DepositAddressesService,
    private readonly rescans: RescanService,
    private readonly paymentLoops: PaymentLoopsService,
  ) {}

  /** Returns whether more may be due. */
  async runOnce(): Promise<boolean> {
    const claimed = await this.reported.claimDue(BATCH);
    await Promise.all(claimed.map((one) => this.check(one)));
    return claimed.length === BATCH;
  }

  private async check(reported: ReportedTransaction): Promise<void> {
    const { paymentId, chain, txHash } = reported;
    let finding: Finding | null = null;
    let unlisted: UnlistedToken | null = null;
    try {
      finding = await this.look(reported);
      if (finding === 'OTHER_ADDRESS') unlisted = await this.findUnlisted(reported);
      if (unlisted) finding = 'UNLISTED_TOKEN';
      this.logger.log({ paymentId, chain, txHash, finding }, 'looked for a reported transaction');
    } catch (error) {
      // A node that does not respond, or that contradicts itself: asked again later.
      const text = error instanceof Error ? error.message : String(error);
      this.logger.warn({ paymentId, chain, txHash, error: text }, 'reported transaction not looked for yet');
    }
    await this.reported.conclude(reported, finding, unlisted);
  }

  private async look(reported: ReportedTransaction): Promise<Finding> {
    if (await this.reported.isRecorded(reported)) return 'FOUND';
    const { chain: slug, txHash, paymentId } = reported;
    const seen = await this.chains.adapter(slug).transaction(txHash);
    // Where nodes show their mempool, the watcher records it from there; elsewhere its block has to come.
    if (seen.fate !== 'mined') return seen.fate === 'mempool' ? 'WAITING' : 'UNKNOWN';
    if (!seen.succeeded) return 'FAILED';
    const keys = seen.credits.map(({ key }) => key);
    const paid = await this.depositAddresses.match(this.chains.get(slug).family, keys);
    if (paid.length === 0) return 'OTHER_ADDRESS';
    // Also for another payment, to which it is credited like all in that block; the finding does not say so.
    if (!(await this.readAgain(slug, seen.block.height))) return 'WAITING';
    if (await this.reported.isRecorded(reported)) return 'FOUND';
    return paid.some((address) => address.paymentId === paymentId) ? 'WAITING' : 'OTHER_ADDRESS';
  }

  /**
   * What the transaction sent to the payment's own address in a token that is not listed: the first contract that it did it
   * by. Only what a customer names is looked for (docs/decisions/0846-tell-what-is-too-much.md).
   */
  private async findUnlisted({
    chain,
    txHash,
    paymentId,
  }: ReportedTransaction): Promise<UnlistedToken | null> {
    const seen = await this.chains.adapter(chain).transaction(txHash);
    if (seen.fate !== 'mined' || !seen.unlisted?.length) return null;
    const keys = seen.unlisted.map(({ key }) => key);
    const matched = await this.depositAddresses.match(this.chains.get(chain).family, keys);
    const ours = matched.filter((address) => address.paymentId === paymentId).map(({ key }) => key);
    const credits = seen.unlisted.filter(({ key }) => ours.some((one) => one.equals(key)));
    const [first] = credits;
    if (!first) return null;
    const tokenAmount = credits
      .filter(({ asset }) => asset === first.asset)
      .reduce((sum, { amount }) => sum + amount, 0n);
    return tokenAmount > MAX_AMOUNT ? null : { token: first.asset, tokenAmount };
  }

  /** False: the watcher has not reached the block, and will read it by itself. */
  private async readAgain(chain: string, height: number): Promise<boolean> {
    const tip = await this.rescans.findTip(chain);
    if (!tip || tip.height < height) return false;
    const range = { chain, from: height, to: height, isQuiet: true };
    for await (const step of this.rescans.run(range)) if (step.recorded > 0) this.paymentLoops.wake();
    return true;
  }
}
