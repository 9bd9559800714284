import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { pollIntervalMs } from '../chains/poll-interval.pure.js';
import { CONFIG, type Config } from '../config.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { ChainWatcherService } from './chain-watcher.service.js';
import { IdleChainService } from './idle-chain.service.js';
import { PollPace } from './poll-pace.pure.js';

/** Runs the watcher's turns when they are due, so that a metered node gets no more requests than needed. */
@Injectable()
export class PollPaceService {
  private readonly paces: ReadonlyMap<string, PollPace>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly chains: ChainsService,
    private readonly watcher: ChainWatcherService,
    private readonly leases: ChainLeaseService,
    private readonly idle: IdleChainService,
  ) {
    this.paces = new Map(chains.list().map((chain) => [chain.slug, paceOf(chain, config)]));
  }

  /** Milliseconds between two calls of {@link runIfDue}. */
  tickMs(slug: string): number {
    return this.pace(slug).tickMs;
  }

  /** A node has announced a block: the next call of {@link runIfDue} may run a turn early. */
  announce(slug: string): void {
    this.pace(slug).announce(performance.now());
  }

  /** @returns whether another turn should follow at once */
  async runIfDue(slug: string): Promise<boolean> {
    const pace = this.pace(slug);
    if (await this.isIdle(slug)) {
      const isHealthy = this.chains.findHealth(slug)?.ok ?? false;
      await (pace.isIdleDue(performance.now(), isHealthy) ? this.lookOnce(slug) : this.leases.keep(slug));
      return false;
    }
    if (!pace.isDue(performance.now())) {
      // Turns may be further apart than a lease is long.
      await this.leases.keep(slug);
      return false;
    }
    pace.began(performance.now());
    const isMore = await this.watcher.runOnce(slug);
    pace.ended(isMore);
    return isMore;
  }

  /** Nothing to read, so announcements would only cost. False while the database cannot say. */
  isIdle(slug: string): Promise<boolean> {
    return this.idle.isIdle(slug).catch(() => false);
  }

  private async lookOnce(slug: string): Promise<void> {
    this.pace(slug).lookedIdly(performance.now());
    await this.idle.lookOnce(slug);
  }

  private pace(slug: string): PollPace {
    const pace = this.paces.get(slug);
    if (!pace) throw new Error(`the chain "${slug}" is not configured`);
    return pace;
  }
}

function paceOf(chain: Chain, config: Config): PollPace {
  return new PollPace({
    intervalMs: pollIntervalMs(chain, config),
    blockSeconds: chain.averageBlockSeconds,
    isReadByBlocks: familyOf(chain.family).isReadByBlocks,
  });
}
