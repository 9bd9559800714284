import { auditTimes, type Entry } from './payment-times.pure.js';

type Recorded = Parameters<typeof auditTimes>[0];

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
const moves = (...path: [to: Entry['toStatus'], reason?: string][]): Entry[] =>
  path.map(([toStatus, reason = 'x'], i) => ({
    fromStatus: path[i - 1]?.[0] ?? null,
    toStatus,
    reason,
    createdAt: at(i),
  }));
const NOTHING: Recorded = {
  createdAt: at(0),
  foundAt: null,
  receivedAt: null,
  confirmedAt: null,
  cancelledAt: null,
  cancelReason: null,
  errorReason: null,
};
const PAID = moves(['OPEN'], ['FOUND'], ['RECEIVED'], ['CONFIRMED']);
const PAID_TIMES = { foundAt: at(1), receivedAt: at(2), confirmedAt: at(3) };
const REORGANIZED = moves(['OPEN'], ['FOUND'], ['RECEIVED'], ['OPEN', 'reorg']);

describe('auditTimes() finds nothing in', () => {
  it.each<[name: string, history: Entry[], payment: Partial<Recorded>]>([
    ['an open payment', moves(['OPEN']), {}],
    ['a paid payment', PAID, PAID_TIMES],
    [
      'a payment that was found twice, of which the second time counts',
      moves(['OPEN'], ['FOUND'], ['OPEN'], ['FOUND']),
      { foundAt: at(3) },
    ],
    [
      'a payment that stayed found',
      moves(['OPEN'], ['FOUND'], ['UNDERPAID'], ['RECEIVED']),
      { foundAt: at(1), receivedAt: at(3) },
    ],
    ['a payment whose funds a reorganization removed', REORGANIZED, {}],
    [
      'a payment that was found before it was created, by a clock that was set back',
      PAID,
      { ...PAID_TIMES, createdAt: at(9), foundAt: at(9), confirmedAt: at(9) },
    ],
    [
      'a cancelled payment',
      moves(['OPEN'], ['CANCELLED']),
      { cancelledAt: at(1), cancelReason: 'Changed her mind' },
    ],
    [
      'a failed payment',
      moves(['OPEN'], ['ERROR', 'address_integrity']),
      { errorReason: 'address_integrity' },
    ],
  ])('%s', (_name, history, payment) => {
    expect(auditTimes({ ...NOTHING, ...payment }, history)).toEqual([]);
  });
});

describe('auditTimes() finds', () => {
  it.each<[subject: string, history: Entry[], payment: Partial<Recorded>]>([
    ['foundAt', PAID, { ...PAID_TIMES, foundAt: at(0) }],
    ['receivedAt', PAID, { ...PAID_TIMES, receivedAt: at(9) }],
    ['receivedAt', REORGANIZED, { receivedAt: at(2) }],
    ['confirmedAt', PAID, { ...PAID_TIMES, confirmedAt: null }],
    ['confirmedAt', PAID, { ...PAID_TIMES, confirmedAt: new Date(Number.NaN) }],
    ['cancelledAt', moves(['OPEN']), { cancelledAt: at(1) }],
    ['cancelReason', moves(['OPEN']), { cancelReason: 'x' }],
    ['errorReason', moves(['OPEN'], ['ERROR', 'a']), { errorReason: 'b' }],
  ])('a wrong %s', (subject, history, payment) => {
    expect(auditTimes({ ...NOTHING, ...payment }, history)).toEqual([
      expect.objectContaining({ check: 'history', subject }),
    ]);
  });
});
