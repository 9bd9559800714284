/** One webhook request as the merchant got it. */
export interface Arrival {
  eventId: string;
  paymentId: string;
  type: string;
  bodyHash: string;
  /** What it was answered; null: nothing. */
  status: number | null;
}

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  paymentId: string;
  seq: number;
  type: string;
  bodyHash: string;
  isSuperseded: boolean;
  /** A later event has made it obsolete. */
  isOvertaken: boolean;
}

/** The state of an event, as the gateway reports it. */
export interface RecordedDelivery {
  eventId: string;
  state: string;
  attempts: number;
  /** Rows of attempts. */
  recorded: number;
  isLeased: boolean;
}

/** A POST with an Idempotency-Key that was repeated until it was answered. */
export interface KeyedCall {
  what: string;
  key: string;
  /** The thing that was made. */
  id: string;
  /** Things in the database that only this call can have made. */
  made: readonly string[];
  /** The answer's text, and that of one more call with the same key at the end. */
  answer: string;
  repeated: string;
}

/** Sent, and answered by the merchant, as often as it takes: at least once, under one id, in order per payment. */
export function checkDeliveries(
  events: readonly StoredEvent[],
  deliveries: readonly RecordedDelivery[],
  arrivals: readonly Arrival[],
): string[] {
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
  const answered = new Set(arrivals.filter(({ status }) => isGood(status)).map(({ eventId }) => eventId));
  return [
    ...events
      .filter(({ id, isSuperseded, isOvertaken }) => !isSuperseded && !isOvertaken && !answered.has(id))
      .map(({ id, paymentId, type }) => `${paymentId}: event ${id} ${type} was never delivered`),
    ...events.flatMap((event) => checkDelivery(event, deliveryOf.get(event.id))),
    ...deliveries
      .filter(({ eventId }) => !eventOf.has(eventId))
      .map(({ eventId }) => `a delivery of event ${eventId}, which is not in the database`),
    ...arrivals.flatMap((arrival) => checkArrival(arrival, eventOf.get(arrival.eventId))),
    ...checkOrder(events, arrivals),
  ];
}

function checkDelivery(
  { id, isSuperseded, isOvertaken }: StoredEvent,
  delivery: RecordedDelivery | undefined,
): string[] {
  if (!delivery) return isSuperseded || isOvertaken ? [] : [`event ${id} has no delivery`];
  const { state, attempts, recorded, isLeased } = delivery;
  return [
    ...(state === (isSuperseded ? 'superseded' : 'succeeded') || (isOvertaken && state === 'superseded')
      ? []
      : [`event ${id}: its delivery is ${state}`]),
    ...(isLeased ? [`event ${id}: its lease is stuck`] : []),
    ...(attempts === recorded ? [] : [`event ${id}: ${attempts} attempts, ${recorded} of them recorded`]),
  ];
}

function checkArrival(
  { eventId, paymentId, type, bodyHash }: Arrival,
  event: StoredEvent | undefined,
): string[] {
  if (!event) return [`${paymentId}: ${type} ${eventId} was sent, and is not in the database`];
  if (event.paymentId !== paymentId || event.type !== type)
    return [
      `${paymentId}: ${type} ${eventId} was sent, the database says ${event.type} of ${event.paymentId}`,
    ];
  return event.bodyHash === bodyHash ? [] : [`${paymentId}: ${type} ${eventId} was sent with another body`];
}

/**
 * Nothing of a payment is sent before everything earlier was answered 2xx; what was overtaken needs no answer, and is not
 * sent once something later was.
 */
function checkOrder(events: readonly StoredEvent[], arrivals: readonly Arrival[]): string[] {
  const byPayment = new Map<string, StoredEvent[]>();
  for (const event of events.filter(({ isSuperseded }) => !isSuperseded))
    byPayment.set(event.paymentId, [...(byPayment.get(event.paymentId) ?? []), event]);
  const firstSent = new Map<string, number>();
  const firstGood = new Map<string, number>();
  for (const [i, { eventId, status }] of arrivals.entries()) {
    if (!firstSent.has(eventId)) firstSent.set(eventId, i);
    if (isGood(status) && !firstGood.has(eventId)) firstGood.set(eventId, i);
  }
  return [...byPayment].flatMap(([paymentId, own]) => {
    const sorted = own.toSorted((a, b) => a.seq - b.seq);
    return sorted.flatMap((event, i) => {
      const before = sorted[i - 1];
      const sent = firstSent.get(event.id);
      if (!before || sent === undefined) return [];
      const good = firstGood.get(before.id);
      if (before.isOvertaken)
        return (firstSent.get(before.id) ?? sent) <= sent
          ? []
          : [`${paymentId}: ${before.type} was sent after ${event.type}`];
      return good !== undefined && good < sent
        ? []
        : [`${paymentId}: ${event.type} was sent before ${before.type} was answered`];
    });
  });
}

/** Every call that was answered has made one thing, and a repetition makes no other. */
export function checkCalls(calls: readonly KeyedCall[], stuck: readonly string[]): string[] {
  return [
    ...calls.flatMap(({ what, key, id, made, answer, repeated }) => [
      ...(made.length === 1 && made[0] === id
        ? []
        : [`${what} ${key}: answered ${id}, made ${made.length === 0 ? 'nothing' : made.join(' and ')}`]),
      ...(repeated === answer ? [] : [`${what} ${key}: answered ${answer}, repeated ${repeated}`]),
    ]),
    ...stuck.map((key) => `the key ${key} was kept without an answer`),
  ];
}

/** Deliveries of events that the merchant had already acknowledged. */
export function countRedeliveries(arrivals: readonly Arrival[]): {
  afterSuccess: number;
  afterFailure: number;
} {
  const answered = new Set<string>();
  const seen = new Set<string>();
  const counts = { afterSuccess: 0, afterFailure: 0 };
  for (const { eventId, status } of arrivals) {
    if (answered.has(eventId)) counts.afterSuccess++;
    else if (seen.has(eventId)) counts.afterFailure++;
    seen.add(eventId);
    if (isGood(status)) answered.add(eventId);
  }
  return counts;
}

function isGood(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}
