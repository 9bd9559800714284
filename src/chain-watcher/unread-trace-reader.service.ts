import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import { RescanService } from './rescan.service.js';
import { UnreadTraceRepository } from './unread-trace.repository.js';

/** Blocks per turn, one after the other: each may take a node a minute. */
const BATCH = 5;

/** Reads blocks again whose traces could not be read, and credits what they show, as `rescan` does. */
@Injectable()
export class UnreadTraceReader {
  private readonly logger = new Logger('UnreadTraces');

  constructor(
    private readonly chains: ChainsService,
    private readonly traces: UnreadTraceRepository,
    private readonly rescans: RescanService,
    private readonly paymentLoops: PaymentLoopsService,
    private readonly clock: Clock,
  ) {}

  /** Returns whether to go on at once, because the nodes show now what they did not. */
  async runOnce(): Promise<boolean> {
    const slugs = this.chains.list().map(({ slug }) => slug);
    let isProgress = false;
    const due = await this.traces.claimDue(this.clock.now(), slugs, BATCH);
    for (const { chain, height } of due) isProgress = (await this.read(chain, height)) || isProgress;
    return isProgress;
  }

  private async read(chain: string, height: number): Promise<boolean> {
    try {
      let isRead = false;
      for await (const { recorded, unread, conflicting } of this.rescans.run({
        chain,
        from: height,
        to: height,
        isQuiet: true,
      })) {
        if (recorded > 0) this.paymentLoops.wake();
        isRead = unread.length === 0 && conflicting.length === 0;
      }
      return isRead;
    } catch (error) {
      // The chain is halted, or the node is away: its own alarms say so, and the next attempt is due.
      const message = error instanceof Error ? error.message : String(error);
      this.logger.warn({ chain, height, error: message }, 'a block with unread traces cannot be read again');
      return false;
    }
  }
}
