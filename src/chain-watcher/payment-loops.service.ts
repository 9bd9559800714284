import { Injectable } from '@nestjs/common';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';

/** The loops that act on what the watcher commits. */
@Injectable()
export class PaymentLoopsService {
  constructor(private readonly loops: PollingLoops) {}

  /** Call after a commit. If the wake-up is lost, the loops find the work at their next interval. */
  wake(): void {
    this.loops.wake(LoopName.WebhookDelivery);
    this.loops.wake(LoopName.PaymentSweep);
  }
}
