import { AsyncResource } from 'node:async_hooks';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG, type Config, type Role } from '../../config.js';
import type { LoopName } from '../kernel/loop-name.pure.js';
import { isDefect } from './database-errors.pure.js';
import { afterCommit } from './unit-of-work.js';

/** How a module describes a loop that it starts. */
export interface LoopOptions {
  name: LoopName;
  /** Distinguishes loops of the same name: the slug of the chain. */
  scope?: string;
  /** The loop runs only in processes of this role, or of the role `all`. */
  role: Exclude<Role, 'all'>;
  /** From the end of a turn to the next one. */
  intervalMs: number;
}

interface Loop {
  wake: () => void;
  /** Resolves when no turn is running. */
  idle: () => Promise<void>;
}

/**
 * Runs `runOnce()` functions on the intervals of Nest's `SchedulerRegistry`. Turns of a loop never overlap, repeat at
 * once while there is more to do, and survive errors: a failed turn writes nothing partial, so the next one starts
 * over. Each module starts its loops in its own `onApplicationBootstrap`.
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
   * Starts a loop, if this process has its role.
   * @param runOnce returns true when more work is waiting
   */
  start(options: LoopOptions, runOnce: () => Promise<boolean>): void {
    const { role, intervalMs } = options;
    if (!this.config.loops || (this.config.role !== 'all' && this.config.role !== role)) return;
    const name = keyOf(options.name, options.scope);
    let running: Promise<void> | null = null;
    let wakeAgain = false;
    // A turn must not inherit the async context of the request, command, trace or transaction that woke the loop.
    const ownContext = new AsyncResource(`loop ${name}`);
    const drain = async () => {
      do {
        wakeAgain = false;
        try {
          while (!this.stopping && (await runOnce())) continue;
        } catch (error) {
          const facts = { loop: name, error: error instanceof Error ? error.message : String(error) };
          if (isDefect(error)) this.logger.error(facts, 'loop turn failed');
          else this.logger.warn(facts, 'loop turn failed');
        }
      } while (wakeAgain && !this.stopping);
    };
    const rest = () => {
      running = null;
      timer.refresh();
    };
    const wake = () => {
      if (this.stopping) return;
      if (running) wakeAgain = true;
      else running = ownContext.runInAsyncScope(drain).finally(rest);
    };
    const timer = setInterval(wake, intervalMs);
    this.scheduler.addInterval(name, timer);
    this.loops.set(name, { wake, idle: () => running ?? Promise.resolve() });
    wake();
  }

  /**
   * Runs the loop's next turn early, after the current unit of work has committed. Does nothing when this process does
   * not run the loop: the process that does finds the work at its next interval.
   */
  wake(name: LoopName, scope?: string): void {
    afterCommit(() => this.loops.get(keyOf(name, scope))?.wake());
  }

  /** Starts no new turn and waits for those that are running, while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const name of this.loops.keys()) {
      // Nest's scheduler clears its intervals too, before or after this hook.
      if (this.scheduler.doesExist('interval', name)) this.scheduler.deleteInterval(name);
    }
    await Promise.all([...this.loops.values()].map((loop) => loop.idle()));
  }
}

function keyOf(name: LoopName, scope?: string): string {
  return scope === undefined ? name : `${name}:${scope}`;
}
