import { type EventType, isOptIn } from '../../applications/event-types.pure.js';
import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import { deterministicId } from '../../platform/kernel/ids.pure.js';
import { partsOfPlace, placeOf } from '../event-place.pure.js';
import { readTold } from '../payment-change.pure.js';
import type { AuditedEvent, EventProgress, Finding, PaymentRecords } from './payment-records.pure.js';
import { isPaymentStatus, type PaymentStatus } from '../payment-status.pure.js';

/**
 * The event that announces a status: an underpayment only if the merchant's settings require it, an opt-in event only if
 * the application received it then. payment.expired is announced while the payment stays OPEN.
 */
const ANNOUNCED: Partial<Record<PaymentStatus, EventType>> = {
  OPEN: 'payment.expired',
  FOUND: 'payment.found',
  CANCELLED: 'payment.cancelled',
  RECEIVED: 'payment.received',
  CONFIRMED: 'payment.completed',
  UNDERPAID: 'payment.underpaid',
  REFUND: 'payment.refund',
};

/** Every event that a payment must have announced, and no other, with its id and what its body says. */
export function auditEvents(records: PaymentRecords): Finding[] {
  const { state, history, events } = records;
  const findings: Finding[] = [];
  const wrong = (seq: number | null, expected: string, found: string) =>
    findings.push({ check: 'events', subject: `event ${seq ?? 0}`, expected, found });
  findings.push(...auditUpdates(records));
  for (const { seq, to } of history) {
    const type = isPaymentStatus(to) ? ANNOUNCED[to] : undefined;
    const event = events.find((each) => each.seq === seq);
    if (type && !event && to !== 'UNDERPAID' && !isOptIn(type)) wrong(seq, type, 'no event');
    if (event && event.type !== type) wrong(seq, type ?? 'no event', event.type);
    if (!event) continue;
    const id = deterministicId(`event|${state.payment.id}|${seq}`);
    if (event.id !== id) wrong(seq, `id ${id}`, `id ${event.id}`);
    const sent = describeBody(event.body);
    const due = `${event.id} ${event.type} ${state.payment.id} ${to} ${state.payment.amount}`;
    if (sent !== due) wrong(seq, due, sent);
  }
  findings.push(...events.flatMap((event) => auditProgress(event, records)));
  const expired = events.filter(({ type }) => type === 'payment.expired');
  if (expired.length > 1) wrong(expired[1]?.seq ?? 0, 'payment.expired once', `${expired.length} times`);
  for (const { seq, createdAt } of expired)
    if (createdAt <= state.payment.expiresAt) wrong(seq, 'payment.expired after the expiry', 'before');
  for (const { seq, place, type } of events)
    if (place === null && !history.some((entry) => entry.seq === seq)) wrong(seq, 'a status entry', type);
  return findings;
}

/**
 * Whoever writes the database can keep the gateway from telling of an event: what says that nothing is left to do must
 * have its cause.
 */
function auditProgress(event: AuditedEvent, { history, events }: PaymentRecords): Finding[] {
  const { seq, place } = event;
  const isLater = (other: AuditedEvent) => placeOf(other) > placeOf(event);
  // A move that a reorganization takes back is followed by one without an event.
  const isMoved = history.some((entry) => entry.seq > (seq ?? partsOfPlace(place ?? 0).seq));
  const subject = `delivery of event ${seq ?? place ?? 0}`;
  return silencesOf({ ...event, isMoved, isFollowed: isMoved || events.some(isLater) }).map((silence) => ({
    check: 'events',
    subject,
    ...silence,
  }));
}

/** What says of an event that nothing is left to do, without its cause; of one that is about no payment as well. */
export function silencesOf(
  event: EventProgress & { isMoved: boolean; isFollowed: boolean },
): Pick<Finding, 'expected' | 'found'>[] {
  const { deliveryState: state, isWanted, isMoved } = event;
  const isWithdrawn = event.isSuperseded || event.isOvertaken;
  const rules: [isWrong: boolean, expected: string, found: string][] = [
    [state !== null && !event.isDispatched, 'dispatched', 'a delivery of an event that is not dispatched'],
    [
      event.isDispatched && !event.isSuperseded && !event.hasPlace,
      'a place in the event feed',
      'dispatched without one',
    ],
    [event.isDispatched && !isWithdrawn && isWanted && state === null, 'a delivery', 'none'],
    [event.isSuperseded && !isMoved, 'a later move that took it back', 'superseded'],
    [event.isOvertaken && !event.isFollowed, 'a later event or move', 'overtaken'],
    [state === 'superseded' && !isWithdrawn, 'a delivery that goes on', state ?? ''],
    [state === 'skipped' && isWanted, 'a delivery to the endpoint', 'skipped'],
    [state === 'succeeded' && !event.isAccepted, 'an attempt that got a 2xx', 'none'],
    [state === 'exhausted' && !event.isAttempted, 'attempts', 'none'],
  ];
  return rules.flatMap(([isWrong, expected, found]) => (isWrong ? [{ expected, found }] : []));
}

/** Those of payment.updated: numbered without gaps, each behind a move, and as many as the payment says. */
function auditUpdates({ state, history, events }: PaymentRecords): Finding[] {
  const { id: paymentId, amount } = state.payment;
  const updates = events.filter(({ place }) => place !== null);
  const findings = updates.flatMap(({ id, place, type, body }, i) => {
    const { seq, number } = partsOfPlace(place ?? 0);
    const entered = history.find((entry) => entry.seq === seq)?.to ?? 'none';
    const dueId = deterministicId(`event|${paymentId}|${String(place)}|payment.updated`);
    const due = `number ${i + 1}: ${dueId} payment.updated ${paymentId} ${entered} ${amount}`;
    const found = `number ${number}: ${describeBody(body)}`;
    return due === found && id === dueId && type === 'payment.updated'
      ? []
      : [{ check: 'events' as const, subject: `update ${i + 1}`, expected: due, found }];
  });
  const { updates: told } = readTold(state);
  if (told !== updates.length)
    findings.push({
      check: 'events',
      subject: 'updates',
      expected: `${told} payment.updated`,
      found: `${updates.length}`,
    });
  return findings;
}

/** Id, type, payment, status and amount in an event's body. */
function describeBody(body: string): string {
  try {
    const { id, event, payment } = parseExact(body) as {
      id: unknown;
      event: unknown;
      payment: { id: unknown; status: unknown; amount: { amount: unknown } };
    };
    return [id, event, payment.id, payment.status, payment.amount.amount].map(String).join(' ');
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : String(error)}`;
  }
}
