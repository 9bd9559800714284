/** The four standard events, sent to every application (specification/events.md#event-types). */
export const STANDARD_EVENTS = [
  'payment.received',
  'payment.completed',
  'payment.underpaid',
  'payment.refund',
] as const;

/**
 * Sent only to applications whose `events` lists them (specification/events.md#optional-events). They only
 * inform, so they never delay a standard event: one of the same payment overtakes them.
 */
export const OPT_IN_EVENTS = [
  'payment.found',
  'payment.expired',
  'payment.cancelled',
  'payment.updated',
] as const;

export const EVENT_TYPES = [...STANDARD_EVENTS, ...OPT_IN_EVENTS] as const;

/**
 * Beside the events that follow a payment: by webhook only, to applications whose `events` lists them
 * (specification/events.md#wallets, specification/events.md#refund-requests).
 */
export const APPLICATION_EVENTS = ['wallet.changed', 'payment.refund_requested'] as const;

/** What an application's `events` may list. */
export const LISTABLE_EVENTS = [...EVENT_TYPES, ...APPLICATION_EVENTS] as const;

export type ApplicationEventType = (typeof APPLICATION_EVENTS)[number];
export type ListableEvent = (typeof LISTABLE_EVENTS)[number];
export type OptInEvent = (typeof OPT_IN_EVENTS)[number];
/** The name of an event of a payment, as webhooks, the feed and the log show it. */
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * What a standard event makes obsolete, so that its delivery ends unless it is under way
 * (specification/webhooks.md#delivery): payment.underpaid asks for a decision that has been made by then.
 */
export const OVERTAKEN_BY_STANDARD: readonly EventType[] = [...OPT_IN_EVENTS, 'payment.underpaid'];

/** What ends where the chain has taken back what an event said: that event, and what may precede it. */
export const OVERTAKEN_BY_REORG: readonly EventType[] = [...OPT_IN_EVENTS, 'payment.received'];

/** Why the delivery of an overtaken event ends without being sent. */
export const OVERTAKEN = 'the payment has moved on';

export function isOptIn(type: string): type is OptInEvent {
  return (OPT_IN_EVENTS as readonly string[]).includes(type);
}
