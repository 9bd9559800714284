import { Inject, Injectable, Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONFIG, type Config } from '../../config.js';
import { Outbox } from '../../payments/outbox.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { Meters } from '../../platform/kernel/meters.js';
import { longestGapSeconds } from '../retry-schedule.pure.js';
import { isOpen, wrongsOf } from './event-watch.pure.js';
import { EventWatchRepository, type Watched } from './event-watch.repository.js';

/** Open events that a process remembers; of more, `verify` finds what was done to them. */
const MOST = 10_000;
const HOUR_MS = 3_600_000;
/** Transactions that were not committed at the last look, and clocks of other processes. */
const OVERLAP_MS = 120_000;
/** The log of deliveries is kept for 30 days (specification/webhooks.md#delivery-log). */
const LOGGED_MS = 29 * 24 * HOUR_MS;
/** MACs that are checked in one turn of the event loop: a few milliseconds. */
const IN_ONE_TURN = 200;

/** An event, or its delivery, that is not as the gateway left it. */
export interface Silence {
  /** `<table> <id of the event>`. */
  object: string;
  expected: string;
  found: string;
}

/**
 * Looks every minute at new events and at those that were open at the last look, of payments, applications and tests:
 * what says that nothing is left to do must have its cause, and none disappears
 * (docs/decisions/0893-name-untruths-to-people.md).
 */
@Injectable()
export class EventWatch {
  private readonly logger = new Logger('EventWatch');
  /** Open events, and whether they are tests, which are deleted when there are too many. */
  private open = new Map<string, { isTest: boolean }>();
  private reported: ReadonlySet<string> = new Set();
  private lookedAt: Date | null = null;

  constructor(
    private readonly events: EventWatchRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly meters: Meters,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns false: nothing more to do at once. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    const ids = this.lookedAt ? [...this.open.keys()] : await this.events.listOpen(MOST);
    const since = new Date((this.lookedAt ?? new Date(now.getTime() - HOUR_MS)).getTime() - OVERLAP_MS);
    const watched = await this.read(ids, since, false);
    // What was wrong stays in sight until it is as it should be.
    const silences = await this.judge(watched);
    this.report(silences);
    const wrong = new Set(silences.map(({ object }) => object.replace(/^\S+ /, '')));
    this.open = new Map(
      watched
        .filter(({ id, event, progress }) => wrong.has(id) || (event !== null && isOpen(progress)))
        .slice(0, MOST)
        .map(({ id, event }) => [id, { isTest: event !== null && event.testPaymentId !== null }]),
    );
    this.lookedAt = now;
    return false;
  }

  /** What is wrong with the events of applications, which belong to no payment, as far as deliveries are logged. */
  async listOfApplications(): Promise<Silence[]> {
    const since = new Date(this.clock.now().getTime() - LOGGED_MS);
    return this.judge(await this.read([], since, true));
  }

  private read(ids: readonly string[], since: Date, isOfApplicationsOnly: boolean): Promise<Watched[]> {
    const now = this.clock.now();
    return this.events.read({
      ids,
      since,
      isOfApplicationsOnly,
      now,
      loggedSince: new Date(now.getTime() - LOGGED_MS),
      longestGapSeconds: longestGapSeconds(this.config.webhooks.retryScheduleSeconds),
    });
  }

  private async judge(watched: readonly Watched[]): Promise<Silence[]> {
    const silences: Silence[] = [];
    for (const [i, { id, event, progress }] of watched.entries()) {
      if (i % IN_ONE_TURN === IN_ONE_TURN - 1) await nextTurn();
      if (!event) {
        if (this.open.get(id)?.isTest) continue;
        silences.push({ object: `payment_events ${id}`, expected: 'an event', found: 'no row' });
        continue;
      }
      const [wrong] = wrongsOf(progress, this.outbox.authenticate(event) !== null);
      if (wrong)
        silences.push({ object: `${wrong.table} ${id}`, expected: wrong.expected, found: wrong.found });
    }
    return silences;
  }

  /** Each once, until it is as it should be again. */
  private report(silences: readonly Silence[]): void {
    for (const silence of silences) {
      if (this.reported.has(silence.object)) continue;
      this.meters.unauthentic.inc({ table: silence.object.replace(/ .*/s, '') });
      this.logger.error(
        silence,
        'an event was kept from its receiver, or changed, outside of the gateway: run verify',
      );
    }
    this.reported = new Set(silences.map(({ object }) => object));
  }
}
