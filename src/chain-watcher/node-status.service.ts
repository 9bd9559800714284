import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { ChainsService } from '../chains/chains.service.js';
import type { NodeProgress } from '../chains/node-progress.pure.js';
import { refusalKindOf } from '../chains/rpc-error.pure.js';
import { isRefused } from '../platform/database/database-errors.pure.js';
import { FailureLog } from '../platform/kernel/failure-log.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { BlockReader } from './block-reader.service.js';
import { MempoolWatcher } from './mempool-watcher.service.js';

/**
 * Milliseconds of the gateway's clock. On Ethereum about once a block; it matters to hosted nodes, which count requests.
 */
const ASK_PROGRESS_EVERY_MS = 15_000;

/** How the node of each chain behaves towards this process's watcher, and what is reported about it. */
@Injectable()
export class NodeStatusService {
  private readonly logger = new Logger('ChainWatcher');
  private readonly probed = new Set<string>();
  /** The node's newest block, by chain, if the current turn got that far. */
  private readonly tips = new Map<string, BlockRef>();
  private readonly failures = new Map<string, FailureLog>();
  private readonly progress = new Map<string, { at: number; said: NodeProgress }>();

  constructor(
    private readonly chains: ChainsService,
    private readonly health: ChainHealthService,
    private readonly reader: BlockReader,
    private readonly mempools: MempoolWatcher,
    private readonly clock: Clock,
  ) {}

  /** Checks once that the node is of the right network; again after each failure. */
  async probe(adapter: ChainAdapter): Promise<void> {
    if (this.probed.has(adapter.chain)) return;
    await adapter.probe();
    this.probed.add(adapter.chain);
  }

  /** Requests the newest block, unless the node has just announced it. The caller may leave the promise alone. */
  requestTip(adapter: ChainAdapter): { tip: Promise<BlockRef>; asOf: Date } {
    const asOf = this.clock.now();
    const tip = Promise.resolve(adapter.takeAnnounced?.() ?? adapter.tip());
    tip.catch(() => null);
    return { tip, asOf };
  }

  /** The tip to report at the end of the turn. */
  sawTip(slug: string, tip: BlockRef): void {
    this.tips.set(slug, tip);
  }

  async reportSuccess(slug: string): Promise<void> {
    const now = this.clock.now().getTime();
    for (const ended of this.failures.get(slug)?.ended(now) ?? [])
      this.logger.log({ chain: slug, ...ended }, 'node responds again');
    this.chains.reportHealth(slug, { ok: true });
    const tip = this.tips.get(slug);
    // Without a tip this turn did not ask the node: another instance watches the chain, or it is halted.
    if (tip) await this.health.sawHead(slug, tip, await this.findProgress(slug));
    this.tips.delete(slug);
  }

  /** Null before the node has said it. A node that fails only here still serves blocks. */
  private async findProgress(slug: string): Promise<NodeProgress | null> {
    const now = this.clock.now().getTime();
    const last = this.progress.get(slug);
    if (last && Math.abs(now - last.at) < ASK_PROGRESS_EVERY_MS) return last.said;
    try {
      const said = await this.chains.adapter(slug).progress();
      this.progress.set(slug, { at: now, said });
      return said;
    } catch (error) {
      this.logger.debug({ chain: slug, err: error }, 'the node does not say how far it is');
      return last?.said ?? null;
    }
  }

  async reportFailure(slug: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const failures = this.failures.get(slug) ?? new FailureLog();
    this.failures.set(slug, failures);
    if (failures.failed(message, this.clock.now().getTime())) {
      // A statement rejected by the database is a bug of ours or a violated invariant. An outage is transient.
      const level = isRefused(error) ? 'error' : 'warn';
      this.logger[level]({ chain: slug, error: message }, 'chain step failed; retrying');
    }
    // A node that comes back may be a different node; one that limits the rate has not gone.
    if (refusalKindOf(error) !== 'rate-limit') this.probed.delete(slug);
    this.reader.forget(slug);
    this.mempools.forgetAll(slug);
    this.chains.reportHealth(slug, { ok: false, error: message });
    const tip = this.tips.get(slug) ?? null;
    this.tips.delete(slug);
    // If the database is what fails, the health cannot be written either.
    await this.health.sawTrouble(slug, message, tip).catch((failure: unknown) => {
      this.logger.debug({ chain: slug, err: failure }, 'chain health not written');
    });
  }
}
