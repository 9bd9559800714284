import { isTerminal, type LiveFacts, versionOf } from './payment-version.pure.js';

type Progress = NonNullable<LiveFacts['confirmations']>;

function progressOf(changes: Partial<Progress>): Progress {
  return {
    seen: 1,
    required: 12,
    estimatedSecondsRemaining: 132,
    delayed: false,
    delayedSince: null,
    newestBlockAt: null,
    ...changes,
  };
}

const FACTS: LiveFacts = {
  status: 'FOUND',
  expired: false,
  receivedAmount: { atomic: '0' },
  remainingAmount: { atomic: '340282366920938463463374607431768211456' },
  confirmations: progressOf({ seen: 1, required: 12, estimatedSecondsRemaining: 132, delayed: false }),
  unmatchedTransactions: [{ id: 'a' }, { id: 'b' }],
  reportedTransactions: [{ txHash: '0xa', state: 'SEARCHING' }],
  returnable: [{ type: 'UNEXPECTED', status: null }],
};

describe('versionOf', () => {
  it('is short, and can stand in an ETag, in an event and in an attribute', () => {
    expect(versionOf(FACTS)).toMatch(/^[\w-]{22}$/);
    expect(versionOf({ ...FACTS })).toBe(versionOf(FACTS));
  });

  it('is the same without a chain and without confirmations', () => {
    expect(versionOf({ ...FACTS, confirmations: null })).toBe(
      versionOf({
        ...FACTS,
        confirmations: progressOf({ seen: 0, required: 0, estimatedSecondsRemaining: null, delayed: false }),
      }),
    );
  });

  it.each<Partial<LiveFacts>>([
    { status: 'OPEN' },
    { expired: true },
    { receivedAmount: { atomic: '1' } },
    { remainingAmount: { atomic: '1' } },
    { remainingAmount: { atomic: '340282366920938463463374607431768211455' } },
    { confirmations: progressOf({ seen: 2, required: 12, estimatedSecondsRemaining: 132, delayed: false }) },
    { confirmations: progressOf({ seen: 1, required: 32, estimatedSecondsRemaining: 132, delayed: false }) },
    { confirmations: progressOf({ seen: 1, required: 12, estimatedSecondsRemaining: 131, delayed: false }) },
    { confirmations: progressOf({ seen: 1, required: 12, estimatedSecondsRemaining: 132, delayed: true }) },
    { confirmations: progressOf({ delayedSince: '2026-01-15T10:00:00Z' }) },
    { confirmations: progressOf({ newestBlockAt: '2026-01-15T10:00:00Z' }) },
    { unmatchedTransactions: [{ id: 'b' }] },
    { unmatchedTransactions: [] },
    { reportedTransactions: [] },
    { reportedTransactions: [{ txHash: '0xa', state: 'FOUND' }] },
    { reportedTransactions: [{ txHash: '0xb', state: 'SEARCHING' }] },
    { returnable: [] },
    { returnable: [{ type: 'UNEXPECTED', status: 'AWAITING_ADDRESS' }] },
  ])('changes with %j', (change) => {
    expect(versionOf({ ...FACTS, ...change })).not.toBe(versionOf(FACTS));
  });

  it.each<[string, Partial<LiveFacts>]>([
    ['its name', { selectedMethod: { provider: 'ethereum', method: 'eth' } } as Partial<LiveFacts>],
    [
      'how many blocks it needs, and how long they take, before anything was seen',
      {
        confirmations: progressOf({
          seen: 0,
          required: 32,
          estimatedSecondsRemaining: 3_600,
          newestBlockAt: '2026-01-15T10:00:00Z',
        }),
      },
    ],
  ])('ignores of the selected method %s', (_what, change) => {
    const confirmations = progressOf({
      seen: 0,
      required: 12,
      estimatedSecondsRemaining: 132,
      delayed: false,
    });
    const open = { ...FACTS, status: 'OPEN', confirmations };
    expect(versionOf({ ...open, ...change })).toBe(versionOf(open));
  });
});

describe('isTerminal', () => {
  it.each([
    ['OPEN', false],
    ['FOUND', false],
    ['UNDERPAID', false],
    ['RECEIVED', false],
    ['CONFIRMED', true],
    ['CANCELLED', true],
    ['ERROR', true],
    ['REFUND', true],
  ])('of %s is %p', (status, isOver) => expect(isTerminal({ status })).toBe(isOver));
});
