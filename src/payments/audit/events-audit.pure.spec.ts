import { TOLD } from '../../../test/support/event-progress.js';
import { deterministicId } from '../../platform/kernel/ids.pure.js';
import { auditEvents } from './events-audit.pure.js';
import type { AuditedEvent, EventProgress, PaymentRecords } from './payment-records.pure.js';

const ID = '0190a000-0000-7000-8000-000000000001';
const EXPIRES_AT = new Date('2026-05-01T10:00:00Z');
const LATER = new Date('2026-05-01T10:01:00Z');

function event(type: string, to: string, place: { seq: number } | { place: number }): AuditedEvent {
  const isMove = 'seq' in place;
  const name = isMove ? `event|${ID}|${place.seq}` : `event|${ID}|${place.place}|payment.updated`;
  const id = deterministicId(name);
  return {
    id,
    seq: isMove ? place.seq : null,
    place: isMove ? null : place.place,
    type,
    body: JSON.stringify({ id, event: type, payment: { id: ID, status: to, amount: { amount: 100 } } }),
    createdAt: LATER,
    ...TOLD,
  };
}

const FOUND = event('payment.found', 'FOUND', { seq: 2 });
const RECEIVED = event('payment.received', 'RECEIVED', { seq: 3 });
const UPDATES = [1, 2].map((number) => event('payment.updated', 'RECEIVED', { place: 3_000 + number }));

function audit(events: readonly AuditedEvent[], updates = 0, path = ['OPEN', 'FOUND', 'RECEIVED']) {
  const told = JSON.stringify({ updates });
  return auditEvents({
    state: { payment: { id: ID, amount: 100n, expiresAt: EXPIRES_AT, told }, transfers: [], quotes: [] },
    history: path.map((to, i) => ({ seq: i + 1, from: path[i - 1] ?? null, to })),
    events,
    refunded: 0n,
  } as unknown as PaymentRecords);
}

describe('the audit of events finds nothing in', () => {
  it.each<[string, AuditedEvent[], number]>([
    ['every standard event', [RECEIVED], 0],
    ['an optional one beside it', [FOUND, RECEIVED], 0],
    ['updates, as many as the payment says', [RECEIVED, ...UPDATES], 2],
  ])('%s', (_what, events, updates) => expect(audit(events, updates)).toEqual([]));
});

describe('the audit of events accepts', () => {
  const NONE = { isAttempted: false, isAccepted: false };
  it.each<[string, Partial<EventProgress>]>([
    [
      'what still waits for its dispatch',
      { ...NONE, isDispatched: false, hasPlace: false, deliveryState: null },
    ],
    ['no delivery without an endpoint', { ...NONE, isWanted: false, deliveryState: null }],
    ['one that found no endpoint', { ...NONE, isWanted: false, deliveryState: 'skipped' }],
    ['one that waits', { ...NONE, deliveryState: 'pending' }],
    ['one that is held back', { ...NONE, deliveryState: 'blocked' }],
    ['one whose retries are over', { isAccepted: false, deliveryState: 'exhausted' }],
  ])('%s', (_what, progress) => {
    expect(audit([{ ...RECEIVED, ...progress }])).toEqual([]);
  });

  it('one that a later move took back', () => {
    const path = ['OPEN', 'FOUND', 'RECEIVED', 'FOUND'];
    const progress = { ...NONE, isSuperseded: true, hasPlace: false, deliveryState: null };
    expect(audit([{ ...RECEIVED, ...progress }], 0, path)).toEqual([]);
  });

  it('one that a later event overtook', () => {
    const found = { ...FOUND, ...NONE, isOvertaken: true, deliveryState: 'superseded' };
    expect(audit([found, RECEIVED])).toEqual([]);
  });
});

describe('the audit of events finds', () => {
  const [first = RECEIVED, second = RECEIVED] = UPDATES;
  it.each<[string, AuditedEvent[], number, string]>([
    ['a missing standard event', [FOUND], 0, 'event 3'],
    ['an event of another type', [{ ...RECEIVED, type: 'payment.refund' }], 0, 'event 3'],
    ['an event under another id', [{ ...RECEIVED, id: ID }], 0, 'event 3'],
    ['an empty body', [{ ...RECEIVED, body: '[]' }], 0, 'event 3'],
    ['a body that is no JSON', [{ ...RECEIVED, body: '{' }], 0, 'event 3'],
    ['an event without a move', [RECEIVED, event('payment.found', 'FOUND', { seq: 9 })], 0, 'event 9'],
    ['an update that the payment does not count', [RECEIVED, first], 0, 'updates'],
    ['a lost update', [RECEIVED, first], 2, 'updates'],
    ['a gap among updates', [RECEIVED, second], 1, 'update 1'],
    ['an update under another id', [RECEIVED, { ...first, id: ID }], 1, 'update 1'],
    ['an update of another type', [RECEIVED, { ...first, type: 'payment.received' }], 1, 'update 1'],
    [
      'an update with another sum',
      [RECEIVED, { ...first, body: first.body.replace('100', '101') }],
      1,
      'update 1',
    ],
  ])('%s', (_what, events, updates, subject) => {
    expect(audit(events, updates)).toContainEqual(expect.objectContaining({ check: 'events', subject }));
  });

  const UPON: Partial<EventProgress>[] = [
    { isDispatched: false },
    { hasPlace: false },
    { deliveryState: null },
    { isSuperseded: true, deliveryState: 'superseded' },
    { isOvertaken: true, deliveryState: 'superseded' },
    { deliveryState: 'superseded' },
    { deliveryState: 'skipped' },
    { isAccepted: false },
    { deliveryState: 'exhausted', isAttempted: false, isAccepted: false },
  ];
  it.each(UPON.map((progress) => [progress]))('a silence: %j', (progress) => {
    expect(audit([{ ...RECEIVED, ...progress }])).toEqual([
      expect.objectContaining({ check: 'events', subject: 'delivery of event 3' }),
    ]);
  });

  it('an expiry that was announced twice, and one before the link ended', () => {
    const expired = event('payment.expired', 'OPEN', { seq: 1 });
    const twice = audit([expired, { ...expired }], 0, ['OPEN']);
    expect(twice).toContainEqual(expect.objectContaining({ expected: 'payment.expired once' }));
    const early = audit([{ ...expired, createdAt: EXPIRES_AT }], 0, ['OPEN']);
    expect(early).toContainEqual(expect.objectContaining({ found: 'before' }));
  });
});
