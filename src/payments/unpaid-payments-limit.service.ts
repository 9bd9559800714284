import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { GatewayError } from '../platform/kernel/errors/errors.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { exceededLimit, isCountUsable, RECENT_DAYS, type UnpaidCount } from './unpaid-payments.pure.js';
import { UnpaidPaymentsRepository } from './unpaid-payments.repository.js';

/** Users whose count is remembered. */
const MAX_USERS = 10_000;

/**
 * Bounds what one user can make the gateway keep and watch: payments are kept, and their addresses are watched, for
 * ever (specification/payments.md#unpaid-payments). The counts are those of the database, refreshed more often near a limit, so
 * concurrent requests and processes can exceed a limit by a few payments.
 */
@Injectable()
export class UnpaidPaymentsLimit {
  /** The least recently used first. */
  private readonly counts = new Map<string, UnpaidCount>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly unpaid: UnpaidPaymentsRepository,
  ) {}

  /** Admits one more payment. @throws GatewayError `too_many_unpaid_payments` */
  async admit(userId: string): Promise<void> {
    const count = await this.currentCount(userId);
    const limits = this.config.unpaidPayments;
    const exceeded = exceededLimit(count, limits);
    if (exceeded === null) {
      count.createdSince++;
      return;
    }
    const limit = limits[exceeded].toString();
    throw new GatewayError(
      'too_many_unpaid_payments',
      exceeded === 'open'
        ? `There are ${limit} open payments, which is the limit.`
        : `There are ${limit} unpaid payments whose link is valid or ended in the last ${RECENT_DAYS} days, which is the limit.`,
      {
        hint:
          exceeded === 'open'
            ? 'Cancel payments that customers have abandoned, or let them expire sooner (expiresAt). The operator can raise MAX_OPEN_PAYMENTS_PER_USER.'
            : 'Create a payment when the customer starts to pay, not for every visit. The operator can raise MAX_UNPAID_PAYMENTS_PER_USER.',
      },
    );
  }

  private async currentCount(userId: string): Promise<UnpaidCount> {
    const known = this.counts.get(userId);
    const now = this.clock.now();
    const limits = this.config.unpaidPayments;
    const count =
      known && isCountUsable(known, limits, now)
        ? known
        : { ...(await this.unpaid.count(userId, limits, now)), countedAt: now, createdSince: 0 };
    this.counts.delete(userId);
    const [oldest] = this.counts.keys();
    if (this.counts.size >= MAX_USERS && oldest !== undefined) this.counts.delete(oldest);
    this.counts.set(userId, count);
    return count;
  }
}
