import {
  attentionOf,
  type NewestEvent,
  type OverviewFacts,
  type PaymentAttention,
  type Situation,
  situationOf,
  type Told,
  toldOf,
} from './payment-attention.pure.js';

const OPEN: OverviewFacts = {
  status: 'OPEN',
  reviewReason: null,
  isExpired: false,
  isChosen: false,
  told: 'nothing_to_tell',
  hasUnmatchedFunds: false,
  hasLateFunds: false,
  hasFailedRefund: false,
  hasWaitingRefund: false,
  hasUnlistedToken: false,
  tooMuch: { owed: 0n, isPaidTwice: false, isAfterEnd: false, isPaidLate: false },
};

const sent = (deliveryState: string | null, attempts = 0): NewestEvent => ({
  isDispatched: true,
  hasEndpoint: true,
  deliveryState,
  attempts,
});

describe('toldOf', () => {
  it.each<[string, NewestEvent | null, Told]>([
    ['no event: nothing to tell', null, 'nothing_to_tell'],
    ['an event without a delivery yet', { ...sent(null), isDispatched: false }, 'waiting'],
    ['a delivery that was deleted after its time', sent(null), 'unknown'],
    ['no attempt yet', sent('pending'), 'waiting'],
    ['a failed attempt, and another to come', sent('pending', 1), 'retrying'],
    ['a 2xx', sent('succeeded', 3), 'told'],
    ['no attempt left', sent('exhausted', 12), 'failed'],
    ['no readable secret', sent('blocked'), 'failed'],
    ['no URL', { ...sent(null), hasEndpoint: false }, 'no_endpoint'],
    ['no URL any more', sent('skipped'), 'no_endpoint'],
    ['a state of a later release', sent('new_one'), 'unknown'],
  ])('%s', (_what, newest, told) => {
    expect(toldOf(newest)).toBe(told);
  });
});

describe('situationOf', () => {
  it.each<[Partial<OverviewFacts>, Situation]>([
    [{}, 'awaiting_choice'],
    [{ isChosen: true }, 'awaiting_funds'],
    [{ isExpired: true, isChosen: true }, 'link_expired'],
    [{ isExpired: true, hasUnmatchedFunds: true }, 'unmatched_funds'],
    [{ status: 'FOUND' }, 'confirming'],
    [{ status: 'FOUND', isExpired: true, hasUnmatchedFunds: true }, 'confirming'],
    [{ status: 'UNDERPAID' }, 'awaiting_rest'],
    [{ status: 'RECEIVED', told: 'waiting' }, 'telling_shop'],
    [{ status: 'RECEIVED', told: 'no_endpoint' }, 'telling_shop'],
    [{ status: 'RECEIVED', told: 'retrying' }, 'shop_not_told'],
    [{ status: 'RECEIVED', told: 'failed' }, 'shop_not_told'],
    [{ status: 'RECEIVED', told: 'failed', reviewReason: 'overpaid' }, 'overpaid_held'],
    [{ status: 'CONFIRMED', reviewReason: 'reorg' }, 'paid'],
    [{ status: 'CANCELLED', reviewReason: 'funds_after_cancel' }, 'cancelled'],
    [{ status: 'ERROR' }, 'failed'],
    [{ status: 'REFUND' }, 'refunded'],
  ])('%p', (facts, situation) => {
    expect(situationOf({ ...OPEN, ...facts })).toBe(situation);
  });
});

describe('attentionOf', () => {
  it.each<[Partial<OverviewFacts>, PaymentAttention[]]>([
    [{}, []],
    [{ status: 'CONFIRMED', told: 'told' }, []],
    [{ status: 'RECEIVED', told: 'waiting' }, []],
    [{ status: 'RECEIVED', told: 'retrying' }, ['shop_not_told']],
    [{ status: 'RECEIVED', told: 'failed', reviewReason: 'overpaid' }, ['shop_not_told', 'overpaid_held']],
    // The end is final for the payment, whether or not the shop has heard of it.
    [{ status: 'CONFIRMED', told: 'failed' }, []],
    [{ status: 'CONFIRMED', reviewReason: 'reorg' }, ['reorg']],
    // Refunded since, or not asked for, which is a reason of its own.
    [{ status: 'CANCELLED', reviewReason: 'funds_after_cancel' }, []],
    [
      { status: 'CANCELLED', tooMuch: { owed: 0n, isPaidTwice: false, isAfterEnd: true, isPaidLate: false } },
      ['funds_after_end'],
    ],
    [
      { status: 'CONFIRMED', tooMuch: { owed: 1n, isPaidTwice: true, isAfterEnd: false, isPaidLate: false } },
      ['paid_twice', 'overpaid'],
    ],
    [
      { status: 'CONFIRMED', tooMuch: { owed: 1n, isPaidTwice: false, isAfterEnd: false, isPaidLate: true } },
      ['paid_late', 'overpaid'],
    ],
    [{ hasUnmatchedFunds: true }, ['unmatched_funds']],
    [{ status: 'UNDERPAID', hasUnmatchedFunds: true, reviewReason: 'integrity' }, ['integrity']],
    [{ hasUnlistedToken: true }, ['unlisted_token']],
    [{ status: 'UNDERPAID', hasLateFunds: true }, ['late_funds', 'underpaid']],
    [{ status: 'FOUND', hasLateFunds: true }, ['late_funds']],
    [{ status: 'CONFIRMED', hasLateFunds: true }, []],
    [
      { status: 'CONFIRMED', hasFailedRefund: true, hasWaitingRefund: true },
      ['refund_failed', 'refund_waits'],
    ],
  ])('%p: %p', (facts, kinds) => {
    expect(attentionOf({ ...OPEN, ...facts })).toEqual(kinds);
  });
});
