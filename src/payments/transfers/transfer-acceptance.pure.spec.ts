import { isUnmatched, decideAcceptance } from './transfer-acceptance.pure.js';

const STATES = ['pending', 'confirmed', 'orphaned', 'replaced', 'dropped'] as const;

describe('decideAcceptance', () => {
  it.each(STATES)('decides whether an unmatched transfer in state %s can be accepted', (state) => {
    const isGone = state === 'orphaned' || state === 'replaced' || state === 'dropped';
    expect(decideAcceptance({ state, isMatched: false })).toBe(isGone ? 'transfer_gone' : 'accept');
  });

  it.each(STATES)('rejects a transfer that is %s and matches a quote', (state) => {
    expect(decideAcceptance({ state, isMatched: true })).toBe('counts_already');
  });

  it('rejects a transfer of another payment, or an unknown one', () => {
    expect(decideAcceptance(null)).toBe('unknown_transfer');
  });
});

it.each(STATES)(
  'a transfer that is %s is unmatched only without a quote, while pending or confirmed, and no dust',
  (state) => {
    expect(isUnmatched({ state, isMatched: false, isDust: false })).toBe(
      state === 'pending' || state === 'confirmed',
    );
    expect(isUnmatched({ state, isMatched: false, isDust: true })).toBe(false);
    expect(isUnmatched({ state, isMatched: true, isDust: false })).toBe(false);
  },
);
