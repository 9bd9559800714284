import { Injectable } from '@nestjs/common';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { PaymentListService } from '../payments/payment-list.service.js';
import { paymentNotFound } from '../payments/payments.service.js';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import type { TimelineEntryContract } from './timeline.contract.js';
import { TimelineRepository, type TimelineRow } from './timeline.repository.js';

/** Entries, the newest. */
const MAX_ENTRIES = 100;

/** What happened to a payment (specification/overview.md#timeline). */
@Injectable()
export class TimelineService {
  constructor(
    private readonly entries: TimelineRepository,
    private readonly payments: PaymentListService,
  ) {}

  /** Oldest first. @throws NotFoundError also for a foreign payment */
  async list(userId: string, paymentId: string): Promise<TimelineEntryContract[]> {
    const [payment] = UUID.test(paymentId) ? await this.payments.listByIds(userId, [paymentId]) : [];
    if (!payment) throw paymentNotFound();
    return (await this.entries.list(payment.id, MAX_ENTRIES)).map(present);
  }
}

function present({ at, coin, amount, decimals, ...row }: TimelineRow): TimelineEntryContract {
  const isAmount = coin !== null && amount !== null && decimals !== null;
  return {
    ...row,
    at: toIsoSeconds(at),
    amount: isAmount ? presentAmount(BigInt(amount), { ...getCurrency(coin), decimals }) : null,
  };
}
