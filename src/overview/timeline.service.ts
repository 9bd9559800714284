import { Injectable } from '@nestjs/common';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { paymentNotFound, PaymentsService } from '../payments/payments.service.js';
import { splitListed } from '../payments/transfers/transfer-listing.pure.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import type { TimelineEntryContract } from './timeline.contract.js';
import { TimelineRepository, type TimelineRow } from './timeline.repository.js';

/** Entries, the newest. */
const MAX_ENTRIES = 100;
/** Milliseconds: a day less than finished deliveries are kept (specification/webhooks.md#delivery-log). */
const SURELY_KEPT_MS = 29 * 86_400_000;

/** What happened to a payment (specification/overview.md#timeline). */
@Injectable()
export class TimelineService {
  constructor(
    private readonly entries: TimelineRepository,
    private readonly payments: PaymentsService,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. @throws NotFoundError also for a foreign payment */
  async listOwned(principal: Principal, paymentId: string): Promise<TimelineEntryContract[]> {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    return this.list(await this.payments.getOwned(principal, paymentId));
  }

  /** Oldest first. */
  async list({ payment, transfers }: PaymentAggregate): Promise<TimelineEntryContract[]> {
    const transferIds = splitListed(transfers).listed.map(({ id }) => id);
    const keptSince = new Date(this.clock.now().getTime() - SURELY_KEPT_MS);
    const asked = { paymentId: payment.id, transferIds, keptSince, limit: MAX_ENTRIES };
    return (await this.entries.list(asked)).map(present);
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
