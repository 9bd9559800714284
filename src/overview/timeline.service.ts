import { Injectable } from '@nestjs/common';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { paymentNotFound, PaymentsService } from '../payments/payments.service.js';
import { splitListed } from '../payments/transfers/transfer-listing.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import type { TimelineEntryContract } from './timeline.contract.js';
import { TimelineRepository, type TimelineRow } from './timeline.repository.js';

/** Entries, the newest. */
const MAX_ENTRIES = 100;

/** What happened to a payment (specification/overview.md#timeline). */
@Injectable()
export class TimelineService {
  constructor(
    private readonly entries: TimelineRepository,
    private readonly payments: PaymentsService,
  ) {}

  /** Oldest first. @throws NotFoundError also for a foreign payment */
  async listOwned(principal: Principal, paymentId: string): Promise<TimelineEntryContract[]> {
    if (!UUID.test(paymentId)) throw paymentNotFound();
    return this.list(await this.payments.getOwned(principal, paymentId));
  }

  /** Oldest first. */
  async list({ payment, transfers }: PaymentAggregate): Promise<TimelineEntryContract[]> {
    const shown = splitListed(transfers).listed.map(({ id }) => id);
    return (await this.entries.list(payment.id, shown, MAX_ENTRIES)).map(present);
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
