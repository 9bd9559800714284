import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChainAdapter } from '../chains/chain-adapter.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { CONFIG, type Config } from '../config.js';
import { PollPaceService } from './poll-pace.service.js';

/** Length of one wait, bounded because a node dedicates a thread to each. */
const WAIT_MS = 5_000;
/** Pause after a failed wait. */
const RETRY_MS = 10_000;

/**
 * Wakes a chain's watcher when its node announces a new block. Only latency depends on it: a missing or false
 * notification changes no outcome, since the watcher polls as well.
 */
@Injectable()
export class NewBlockListenerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('NewBlockListenerService');
  private readonly stopping = new AbortController();
  private waiting: Promise<void>[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly chains: ChainsService,
    private readonly loops: PollingLoops,
    private readonly pace: PollPaceService,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.loops || (this.config.role !== 'all' && this.config.role !== 'watcher')) return;
    this.waiting = this.chains.list().map(({ slug }) => this.listen(slug, this.chains.adapter(slug)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.waiting);
  }

  private async listen(slug: string, adapter: ChainAdapter): Promise<void> {
    const { signal } = this.stopping;
    if (!adapter.waitForBlock) return;
    let isLogged = false;
    while (!signal.aborted) {
      if (await this.pace.isIdle(slug)) {
        await delay(WAIT_MS, null, { signal }).catch(() => null);
        continue;
      }
      try {
        if (!(await adapter.waitForBlock(WAIT_MS, signal))) continue;
        this.pace.announce(slug);
        this.loops.wake(LoopName.ChainWatcher, slug);
      } catch (error) {
        if (signal.aborted) return;
        const [cause] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
        const message = cause instanceof Error ? cause.message : String(cause);
        if (!isLogged)
          this.logger.log(
            { chain: slug, error: message },
            'new-block notifications unavailable, falling back to polling',
          );
        isLogged = true;
        await delay(RETRY_MS, null, { signal }).catch(() => null);
      }
    }
  }
}
