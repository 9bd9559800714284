import {
  changeToTell,
  EVERY_CHANGE,
  NO_SUMS,
  readTold,
  type Sums,
  type Told,
  type UnmatchedSum,
  writeTold,
} from './payment-change.pure.js';
import type { PaymentAggregate } from './payment.pure.js';

const LEAST = 10n;
const PAID: Sums = { ...NO_SUMS, receivedAmount: 2_500n };
const coin = (amount: bigint, changes: Partial<UnmatchedSum> = {}): UnmatchedSum => ({
  chain: 'base',
  currencyCode: 'USDT',
  decimals: 6,
  amount,
  floor: 1_000n,
  ...changes,
});
const tell = (before: Sums, after: Sums, more: { updates?: number; isTakenBack?: boolean } = {}) => {
  const { updates = 0, isTakenBack = false } = more;
  return changeToTell({ updates, sums: before }, after, { least: LEAST, isTakenBack })?.reason ?? null;
};

describe('what payment.updated tells', () => {
  it.each<[what: string, before: Sums, after: Sums, reason: string | null]>([
    ['nothing that has changed', PAID, PAID, null],
    ['more that was asked for', PAID, { ...PAID, receivedAmount: 5_000n }, 'funds_received'],
    ['the first unit that matters', PAID, { ...PAID, receivedAmount: 2_510n }, 'funds_received'],
    ['dust', PAID, { ...PAID, receivedAmount: 2_509n }, null],
    ['funds that are gone', PAID, NO_SUMS, 'funds_removed'],
    ['another coin', PAID, { ...PAID, unmatched: [coin(1_000n)] }, 'unmatched_funds_received'],
    [
      'more of another coin',
      { ...PAID, unmatched: [coin(1_000n)] },
      { ...PAID, unmatched: [coin(2_000n)] },
      'unmatched_funds_received',
    ],
    [
      'dust of another coin',
      { ...PAID, unmatched: [coin(1_000n)] },
      { ...PAID, unmatched: [coin(1_999n)] },
      null,
    ],
    ['another coin that is gone', { ...PAID, unmatched: [coin(1_000n)] }, PAID, 'funds_removed'],
    [
      'the same coin on another network',
      { ...PAID, unmatched: [coin(1_000n)] },
      { ...PAID, unmatched: [coin(1_000n), coin(5_000n, { chain: 'ethereum' })] },
      'unmatched_funds_received',
    ],
    [
      'another coin that was accepted',
      { ...PAID, unmatched: [coin(9_000n)] },
      { ...PAID, receivedAmount: 3_000n },
      'unmatched_funds_accepted',
    ],
    ['a review', PAID, { ...PAID, reviewReason: 'overpaid' }, 'review_changed'],
  ])('%s', (_what, before, after, reason) => {
    expect(tell(before, after)).toBe(reason);
  });

  it('a status that went back, though the sums are the same', () => {
    expect(tell(NO_SUMS, NO_SUMS, { isTakenBack: true })).toBe('funds_removed');
  });

  it('small changes once they matter together', () => {
    const told: Told = { updates: 0, sums: PAID };
    const sums = [2_504n, 2_508n, 2_512n].map((receivedAmount) => ({ ...PAID, receivedAmount }));
    expect(sums.map((after) => changeToTell(told, after, { least: LEAST, isTakenBack: false }))).toEqual([
      null,
      null,
      { reason: 'funds_received', before: PAID, after: sums[2] },
    ]);
  });

  it.each([
    [0, 10n],
    [EVERY_CHANGE - 1, 10n],
    [EVERY_CHANGE, 20n],
    [EVERY_CHANGE + 1, 40n],
    [EVERY_CHANGE + 9, 10_240n],
  ])('after %i of a payment only changes of %s', (updates, least) => {
    const by = (amount: bigint) => ({ ...PAID, receivedAmount: PAID.receivedAmount + amount });
    expect(tell(PAID, by(least), { updates })).toBe('funds_received');
    expect(tell(PAID, by(least - 1n), { updates })).toBeNull();
  });

  it('no review alone after those', () => {
    const reviewed: Sums = { ...PAID, reviewReason: 'reorg' };
    expect(tell(PAID, reviewed, { updates: EVERY_CHANGE })).toBeNull();
    expect(tell(PAID, PAID, { updates: EVERY_CHANGE, isTakenBack: true })).toBeNull();
  });

  it('few of whatever a stranger sends: the number grows by one each time that the money doubles', () => {
    let told: Told = { updates: 0, sums: NO_SUMS };
    for (let receivedAmount = LEAST; receivedAmount < 1_000_000n; receivedAmount += LEAST) {
      const change = changeToTell(told, { ...NO_SUMS, receivedAmount }, { least: LEAST, isTakenBack: false });
      if (change) told = { updates: told.updates + 1, sums: change.after };
    }
    expect(told.updates).toBe(EVERY_CHANGE + 15);
  });
});

describe('the record of what was told', () => {
  const state = (told: string | null) =>
    ({ payment: { ...PAID, told }, transfers: [] }) as unknown as PaymentAggregate;

  it('is read as it was written', () => {
    const told: Told = {
      updates: 3,
      sums: { ...PAID, overpaidAmount: 5n, reviewReason: 'reorg', unmatched: [coin(10n ** 70n)] },
    };
    expect(readTold(state(writeTold(told)))).toEqual(told);
  });

  it('of a new payment is nothing', () => {
    expect(readTold(state('{}'))).toEqual({ updates: 0, sums: NO_SUMS });
  });

  it('of a payment of an older release is what it has', () => {
    expect(readTold(state(null))).toEqual({ updates: 0, sums: PAID });
  });
});
