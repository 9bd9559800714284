import type { ObservedTransaction } from '../chains/chain-adapter.pure.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';
import {
  assessPayout,
  canMoveRefund,
  GIVE_UP_AFTER_SECONDS,
  type PayoutAssessment,
  REFUND_STATUSES,
  REFUND_TRANSITIONS,
  type RefundBasis,
  type RefundStatus,
  type RefundType,
  refundTypeOf,
  reportRefusal,
  type ReportRefusal,
  takesAddress,
  takesTransaction,
} from './refund-status.pure.js';

describe('REFUND_TRANSITIONS', () => {
  const legal: [RefundStatus, RefundStatus][] = [
    ['AWAITING_ADDRESS', 'AWAITING_PAYMENT'],
    ['AWAITING_ADDRESS', 'CANCELLED'],
    ['AWAITING_ADDRESS', 'EXPIRED'],
    ['AWAITING_PAYMENT', 'PROCESSING'],
    ['AWAITING_PAYMENT', 'CANCELLED'],
    ['PROCESSING', 'COMPLETED'],
    ['PROCESSING', 'FAILED'],
    ['FAILED', 'PROCESSING'],
    ['FAILED', 'CANCELLED'],
  ];

  it.each(REFUND_STATUSES.flatMap((from) => REFUND_STATUSES.map((to) => [from, to] as const)))(
    'allows %s to %s only when it is listed',
    (from, to) => {
      expect(canMoveRefund(from, to)).toBe(legal.some(([a, b]) => a === from && b === to));
    },
  );

  it('reaches every status from the first one and never leaves the final ones', () => {
    const reached = new Set<RefundStatus>(['AWAITING_ADDRESS']);
    for (const status of reached) for (const to of REFUND_TRANSITIONS[status]) reached.add(to);
    expect([...reached].sort()).toEqual([...REFUND_STATUSES].sort());
    for (const status of ['COMPLETED', 'CANCELLED', 'EXPIRED'] as const)
      expect(REFUND_TRANSITIONS[status]).toEqual([]);
  });
});

it.each([
  ['AWAITING_ADDRESS', true, false],
  ['AWAITING_PAYMENT', true, true],
  ['PROCESSING', false, true],
  ['FAILED', true, true],
  ['COMPLETED', false, false],
  ['CANCELLED', false, false],
  ['EXPIRED', false, false],
] as const)('a %s refund accepts an address: %s, a transaction: %s', (status, address, transaction) => {
  expect(takesAddress(status)).toBe(address);
  expect(takesTransaction(status)).toBe(transaction);
});

describe('reportRefusal', () => {
  it.each<[RefundStatus, string | null, string | null, ReportRefusal | null]>([
    ['AWAITING_ADDRESS', null, '0xaa', 'no_address'],
    ['AWAITING_PAYMENT', null, '0xaa', null],
    ['AWAITING_PAYMENT', null, null, 'not_a_hash'],
    ['PROCESSING', '0xaa', '0xaa', null],
    ['PROCESSING', '0xaa', '0xbb', null],
    ['FAILED', '0xaa', '0xaa', null],
    ['FAILED', '0xaa', '0xbb', null],
    ['COMPLETED', '0xaa', '0xaa', null],
    ['COMPLETED', '0xaa', '0xbb', 'completed'],
    ['COMPLETED', '0xaa', null, 'not_a_hash'],
    ['CANCELLED', null, '0xaa', 'closed'],
    ['EXPIRED', null, '0xaa', 'closed'],
  ])('of a %s refund with %s, reported with %s, is %s', (status, txHash, reported, refusal) => {
    expect(reportRefusal({ status, txHash }, reported)).toBe(refusal);
  });
});

describe('the amount and type of a refund', () => {
  const basis = (changes: Partial<RefundBasis>): RefundBasis => ({
    status: 'CONFIRMED',
    received: 100n,
    overpaid: null,
    promised: 0n,
    ...changes,
  });

  const types: [PaymentStatus, Partial<RefundBasis>, bigint, RefundType][] = [
    ['CONFIRMED', {}, 100n, 'FULL'],
    ['CONFIRMED', {}, 99n, 'PARTIAL'],
    ['RECEIVED', {}, 100n, 'FULL'],
    ['RECEIVED', {}, 1n, 'PARTIAL'],
    // The last part is a part.
    ['CONFIRMED', { promised: 40n }, 60n, 'PARTIAL'],
    ['RECEIVED', { overpaid: 20n }, 20n, 'OVERPAYMENT'],
    ['RECEIVED', { overpaid: 20n }, 5n, 'OVERPAYMENT'],
    ['RECEIVED', { overpaid: 20n }, 21n, 'PARTIAL'],
    ['RECEIVED', { overpaid: 20n }, 100n, 'FULL'],
    ['CONFIRMED', { overpaid: 20n, promised: 5n }, 15n, 'OVERPAYMENT'],
    ['CONFIRMED', { overpaid: 20n, promised: 5n }, 16n, 'PARTIAL'],
    ['CONFIRMED', { overpaid: 20n, promised: 20n }, 1n, 'PARTIAL'],
    ['UNDERPAID', {}, 100n, 'UNDERPAYMENT'],
    ['UNDERPAID', {}, 1n, 'UNDERPAYMENT'],
    ['CANCELLED', {}, 100n, 'UNEXPECTED'],
    ['ERROR', {}, 100n, 'UNEXPECTED'],
    ['REFUND', { promised: 50n }, 50n, 'UNEXPECTED'],
  ];
  it.each(types)('of a %s payment with %o, %d is %s', (status, changes, amount, type) => {
    expect(refundTypeOf(basis({ status, ...changes }), amount)).toBe(type);
  });
});

describe('assessPayout', () => {
  const [ours, other] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];
  const payout = { id: 'b', asset: '0xtoken', addressKey: ours, payoutAmount: 10n, confirmationsRequired: 3 };
  const credit = (amount: bigint, asset = '0xtoken', key = ours) => ({ asset, key, amount });
  const mined = (
    credits: ReturnType<typeof credit>[],
    confirmations = 3,
    succeeded = true,
  ): ObservedTransaction => ({
    fate: 'mined',
    block: { height: 7, hash: '0x7' },
    confirmations,
    succeeded,
    credits,
  });
  const wait = (confirmations: number, isSeen = true): PayoutAssessment => ({
    kind: 'wait',
    confirmations,
    isSeen,
  });
  const failed = (
    reason: Extract<PayoutAssessment, { kind: 'failed' }>['reason'],
    confirmations = 3,
  ): PayoutAssessment => ({
    kind: 'failed',
    confirmations,
    reason,
  });
  const completed = (credited = 10n): PayoutAssessment => ({ kind: 'completed', confirmations: 3, credited });

  const rows: [string, ObservedTransaction, number, PayoutAssessment][] = [
    ['not known yet', { fate: 'unknown' }, 0, wait(0, false)],
    ['not known just below a day', { fate: 'unknown' }, GIVE_UP_AFTER_SECONDS - 1, wait(0, false)],
    ['not known for a day', { fate: 'unknown' }, GIVE_UP_AFTER_SECONDS, failed('transaction_not_found', 0)],
    ['in the mempool for ten days', { fate: 'mempool' }, 10 * GIVE_UP_AFTER_SECONDS, wait(0)],
    ['mined, one confirmation short', mined([credit(10n)], 2), 0, wait(2)],
    ['failed, but a reorg may revive it', mined([], 2, false), 0, wait(2)],
    [
      'to another address, but not deep enough to fail',
      mined([credit(10n, '0xtoken', other)], 1),
      0,
      wait(1),
    ],
    ['deep enough', mined([credit(10n)]), 0, completed()],
    ['more than owed', mined([credit(11n)]), 0, completed(11n)],
    ['in two outputs', mined([credit(4n), credit(6n)]), 0, completed()],
    ['one unit short', mined([credit(9n)]), 0, failed('amount_too_low')],
    [
      'short, the rest in another asset',
      mined([credit(9n), credit(5n, 'native')]),
      0,
      failed('amount_too_low'),
    ],
    ['in another asset', mined([credit(10n, 'native')]), 0, failed('wrong_asset')],
    ['to another address', mined([credit(10n, '0xtoken', other)]), 0, failed('address_not_paid')],
    ['nothing at all', mined([]), 0, failed('address_not_paid')],
    ['failed for good', mined([], 3, false), 0, failed('transaction_failed')],
  ];
  it.each(rows)('%s', (_name, observed, unseenSeconds, assessment) => {
    expect(assessPayout(payout, observed, unseenSeconds, { completed: [], pending: [] })).toEqual(assessment);
  });

  // The refund is `b`, of 10. What the transaction pays to its address, and what others of the transaction are owed there.
  const shared: [string, bigint[], [string, bigint][], [string, bigint][], boolean][] = [
    ['the same amount twice, in two outputs', [10n, 10n], [], [['a', 10n]], true],
    ['the same amount twice, in one output of both', [20n], [], [['a', 10n]], true],
    ['the second of two that one output pays', [10n], [], [['a', 10n]], false],
    ['the first of two that one output pays', [10n], [], [['c', 10n]], true],
    ['after one that has counted the only output', [10n], [['a', 10n]], [], false],
    ['after one that has counted one of two', [10n, 10n], [['a', 10n]], [], true],
    ['after one that left a unit too little', [19n], [['a', 10n]], [], false],
    ['beside a larger one that was paid', [25n], [], [['a', 25n]], false],
    ['beside a larger one that was not', [10n], [], [['a', 25n]], true],
    ['beside a smaller one, which comes later', [10n], [], [['a', 9n]], true],
    [
      'three of which two were paid, as the third',
      [20n],
      [],
      [
        ['a', 10n],
        ['aa', 10n],
      ],
      false,
    ],
    [
      'three of which two were paid, as the second',
      [20n],
      [],
      [
        ['a', 10n],
        ['c', 10n],
      ],
      true,
    ],
    [
      'after more was counted than there is',
      [10n],
      [
        ['a', 10n],
        ['c', 10n],
      ],
      [],
      false,
    ],
  ];
  it.each(shared)('of several refunds: %s', (_name, outputs, done, waiting, isPaid) => {
    const of = (some: [string, bigint][]) => some.map(([id, payoutAmount]) => ({ id, payoutAmount }));
    const sharing = { completed: of(done), pending: of(waiting) };
    const observed = mined(outputs.map((amount) => credit(amount)));
    const paid = outputs.reduce((sum, amount) => sum + amount, 0n);
    expect(assessPayout(payout, observed, 0, sharing)).toEqual(
      isPaid ? completed(paid) : failed('amount_too_low'),
    );
  });

  it('never counts a unit twice, in whatever order refunds are decided', () => {
    for (let paid = 0n; paid <= 12n; paid++)
      for (const amounts of [
        [5n, 5n],
        [3n, 4n, 5n],
        [5n, 4n, 3n],
        [1n, 1n, 1n, 9n],
      ]) {
        const refunds = amounts.map((payoutAmount, i) => ({ id: String(i), payoutAmount }));
        const done: typeof refunds = [];
        let open = refunds;
        for (const refund of refunds) {
          open = open.filter(({ id }) => id !== refund.id);
          const sharing = { completed: done, pending: open };
          const found = assessPayout({ ...payout, ...refund }, mined([credit(paid)]), 0, sharing);
          if (found.kind === 'completed') done.push(refund);
        }
        const counted = done.reduce((sum, { payoutAmount }) => sum + payoutAmount, 0n);
        const owed = amounts.reduce((sum, amount) => sum + amount, 0n);
        expect(counted).toBeLessThanOrEqual(paid);
        if (paid >= owed) expect(done).toEqual(refunds);
      }
  });
});
