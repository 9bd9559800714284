import { Injectable } from '@nestjs/common';
import type { ApplicationEventType } from '../applications/event-types.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import {
  type AnnouncedEvent,
  type NewApplicationEvent,
  type NewTestEvent,
  PaymentEventRepository,
} from './payment-event.repository.js';

export type { AnnouncedEvent, NewTestEvent };
export { placeSql } from './event-place.pure.js';

declare const authentic: unique symbol;
/**
 * An event that the gateway wrote as it is, and whether it is a test: all that is ever signed. Only
 * {@link Outbox.authenticate} makes one.
 */
export type AuthenticEvent = AnnouncedEvent & { readonly [authentic]: true };

/**
 * Takes the events that follow no move of a payment, in the transaction of what they report. The module `webhooks` sends
 * them like those of payments, which PaymentStateMachine writes.
 */
@Injectable()
export class Outbox {
  constructor(
    private readonly events: PaymentEventRepository,
    private readonly loops: PollingLoops,
  ) {}

  /** Those of the applications that are told of such an event. */
  listListening(applicationIds: readonly string[], type: ApplicationEventType): Promise<string[]> {
    return this.events.listListening(applicationIds, type);
  }

  /** At least once, by webhook only. */
  async announce(event: NewApplicationEvent): Promise<void> {
    await this.add(event);
  }

  /** Dispatched already: its delivery is part of the transaction. */
  async addTest(event: NewTestEvent): Promise<void> {
    await this.add(event);
  }

  /** The event as it may be signed; null, and reported, unless the gateway wrote it as it is. */
  authenticate(event: AnnouncedEvent): AuthenticEvent | null {
    return this.events.isAuthentic(event) ? (event as AuthenticEvent) : null;
  }

  private async add(event: NewApplicationEvent | NewTestEvent): Promise<void> {
    requireTransaction('events');
    await this.events.insert([event]);
    this.loops.wake(LoopName.WebhookDelivery);
  }
}
