import {
  type Arrival,
  type RecordedDelivery,
  countRedeliveries,
  checkCalls,
  checkDeliveries,
  type KeyedCall,
  type StoredEvent,
} from './oracle.js';

const RECEIVED: StoredEvent = {
  id: 'e3',
  paymentId: 'p',
  seq: 3,
  type: 'payment.received',
  bodyHash: 'h3',
  isSuperseded: false,
  isOvertaken: false,
};
const COMPLETED: StoredEvent = { ...RECEIVED, id: 'e4', seq: 4, type: 'payment.completed', bodyHash: 'h4' };

function arrival({ id, paymentId, type, bodyHash }: StoredEvent, more: Partial<Arrival> = {}): Arrival {
  return { eventId: id, paymentId, type, bodyHash, status: 200, ...more };
}

function delivery({ id }: StoredEvent, more: Partial<RecordedDelivery> = {}): RecordedDelivery {
  return { eventId: id, state: 'succeeded', attempts: 1, recorded: 1, isLeased: false, ...more };
}

const BOTH = [RECEIVED, COMPLETED];
const DONE = BOTH.map((event) => delivery(event));
const ARRIVED = BOTH.map((event) => arrival(event));

describe('checkDeliveries', () => {
  it.each<[what: string, arrivals: Arrival[]]>([
    ['once each', ARRIVED],
    ['again after a death', [arrival(RECEIVED), ...ARRIVED, arrival(COMPLETED)]],
    [
      'at the third try',
      [arrival(RECEIVED, { status: null }), arrival(RECEIVED, { status: 500 }), ...ARRIVED],
    ],
    ['the first one again behind the second', [...ARRIVED, arrival(RECEIVED)]],
  ])('accepts events that arrived %s', (_, arrivals) => {
    expect(checkDeliveries(BOTH, DONE, arrivals)).toEqual([]);
  });

  it.each<[finding: string, arrivals: Arrival[]]>([
    ['p: event e4 payment.completed was never delivered', [arrival(RECEIVED)]],
    [
      'p: event e4 payment.completed was never delivered',
      [arrival(RECEIVED), arrival(COMPLETED, { status: 500 })],
    ],
    ['p: payment.completed was sent before payment.received was answered', ARRIVED.toReversed()],
    [
      'p: payment.completed was sent before payment.received was answered',
      [arrival(RECEIVED, { status: 503 }), arrival(COMPLETED), arrival(RECEIVED)],
    ],
    ['p: payment.received e3 was sent with another body', [...ARRIVED, arrival(RECEIVED, { bodyHash: 'x' })]],
    [
      'p: payment.received e9 was sent, and is not in the database',
      [...ARRIVED, arrival(RECEIVED, { eventId: 'e9' })],
    ],
    [
      'q: payment.received e3 was sent, the database says payment.received of p',
      [...ARRIVED, arrival(RECEIVED, { paymentId: 'q' })],
    ],
  ])('reports: %s', (finding, arrivals) => {
    expect(checkDeliveries(BOTH, DONE, arrivals)).toContain(finding);
  });

  it.each<[finding: string, changed: Partial<RecordedDelivery>]>([
    ['event e3: its delivery is pending', { state: 'pending' }],
    ['event e3: its delivery is exhausted', { state: 'exhausted' }],
    ['event e3: its lease is stuck', { isLeased: true }],
    ['event e3: 2 attempts, 1 of them recorded', { attempts: 2 }],
    ['a delivery of event e9, which is not in the database', { eventId: 'e9' }],
    ['event e3 has no delivery', { eventId: 'e9' }],
  ])('reports: %s', (finding, changed) => {
    const deliveries = [delivery(RECEIVED, changed), delivery(COMPLETED)];
    expect(checkDeliveries(BOTH, deliveries, ARRIVED)).toContain(finding);
  });

  it('expects no delivery of events that a fork reverted', () => {
    const gone = { ...RECEIVED, isSuperseded: true };
    expect(checkDeliveries([gone], [], [])).toEqual([]);
    expect(checkDeliveries([gone], [delivery(gone, { state: 'superseded' })], [])).toEqual([]);
  });

  it('expects no answer to an event that was overtaken, and no attempt after the later one', () => {
    const short = { ...RECEIVED, id: 'e2', seq: 2, type: 'payment.underpaid', isOvertaken: true };
    const events = [short, ...BOTH];
    const ended = [delivery(short, { state: 'superseded' }), ...DONE];
    const refused = arrival(short, { status: 500 });
    expect(checkDeliveries(events, DONE, ARRIVED)).toEqual([]);
    expect(checkDeliveries(events, ended, [refused, ...ARRIVED])).toEqual([]);
    expect(checkDeliveries(events, ended, [...ARRIVED, refused])).toEqual([
      'p: payment.underpaid was sent after payment.received',
    ]);
  });
});

describe('checkCalls', () => {
  const CALL: KeyedCall = {
    what: 'payment',
    key: 'k',
    id: 'p',
    made: ['p'],
    answer: '{"id":"p"}',
    repeated: '{"id":"p"}',
  };

  it('accepts keys with one effect and one response each', () => {
    expect(checkCalls([CALL, { ...CALL, key: 'l', id: 'q', made: ['q'] }], [])).toEqual([]);
  });

  it.each<[finding: string, changed: Partial<KeyedCall>]>([
    ['payment k: answered p, made p and q', { made: ['p', 'q'] }],
    ['payment k: answered p, made nothing', { made: [] }],
    ['payment k: answered p, made q', { made: ['q'] }],
    ['payment k: answered {"id":"p"}, repeated {"id":"q"}', { repeated: '{"id":"q"}' }],
  ])('reports: %s', (finding, changed) => {
    expect(checkCalls([{ ...CALL, ...changed }], [])).toContain(finding);
  });

  it('reports a key that was stored without a response', () => {
    expect(checkCalls([CALL], ['m'])).toEqual(['the key m was kept without an answer']);
  });
});

describe('countRedeliveries', () => {
  it('distinguishes deliveries that were confirmed before from failed ones', () => {
    const failed = arrival(RECEIVED, { status: 500 });
    const arrivals = [failed, failed, arrival(RECEIVED), arrival(RECEIVED), arrival(COMPLETED)];
    expect(countRedeliveries(arrivals)).toEqual({ afterSuccess: 1, afterFailure: 2 });
  });
});
