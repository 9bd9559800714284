import { AsyncResource } from 'node:async_hooks';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG, type Config, type Role } from '../../config.js';
import { afterCommit } from '../database/unit-of-work.js';

interface Loop {
  wake: () => void;
  idle: () => Promise<void>;
}

/**
 * Runs `runOnce()` functions on a timer: never two at once, again at once while there is more to do,
 * and never stopped by an error (nothing partial is written, so the next turn starts over).
 */
@Injectable()
export class PollingLoops implements BeforeApplicationShutdown {
  private readonly logger = new Logger('PollingLoops');
  private readonly loops = new Map<string, Loop>();
  private stopping = false;

  constructor(
    private readonly scheduler: SchedulerRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Starts a loop where this process has the role for it.
   * @param runOnce answers true when more work is waiting
   */
  start(role: Exclude<Role, 'all'>, name: string, intervalMs: number, runOnce: () => Promise<boolean>): void {
    if (!this.config.loops || (this.config.role !== 'all' && this.config.role !== role)) return;
    let running: Promise<void> | null = null;
    let wakeAgain = false;
    // Whoever wakes the loop is not who its turn works for: a request's id and principal, a command's, a trace's and
    // a transaction's stay outside.
    const ownContext = new AsyncResource(`loop ${name}`);
    const drain = async () => {
      do {
        wakeAgain = false;
        try {
          while (!this.stopping && (await runOnce())) continue;
        } catch (error) {
          this.logger.warn(
            { loop: name, error: error instanceof Error ? error.message : String(error) },
            'loop turn failed',
          );
        }
      } while (wakeAgain && !this.stopping);
    };
    const wake = () => {
      if (this.stopping) return;
      if (running) wakeAgain = true;
      else running = ownContext.runInAsyncScope(drain).finally(() => (running = null));
    };
    this.scheduler.addInterval(name, setInterval(wake, intervalMs));
    this.loops.set(name, { wake, idle: () => running ?? Promise.resolve() });
    wake();
  }

  /** A hint that there is work, given when that can be read; the timer is the truth. */
  wake(name: string): void {
    afterCommit(() => this.loops.get(name)?.wake());
  }

  /** Starts nothing new and waits for the turns under way; the database is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const name of this.loops.keys()) {
      // The scheduler stops its timers by itself, before or after this.
      if (this.scheduler.doesExist('interval', name)) this.scheduler.deleteInterval(name);
    }
    await Promise.all([...this.loops.values()].map((loop) => loop.idle()));
  }
}
