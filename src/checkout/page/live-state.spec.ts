import { liveState } from './live-state.js';

const FACTS = {
  status: 'FOUND',
  receivedAmount: { atomic: '0' },
  remainingAmount: { atomic: '340282366920938463463374607431768211456' },
  confirmations: { seen: 1 },
};

describe('liveState', () => {
  it('keeps every digit', () => {
    expect(liveState(FACTS)).toBe('FOUND 0 340282366920938463463374607431768211456 1');
  });

  it('sees no difference between no chain and no confirmations', () => {
    expect(liveState({ ...FACTS, confirmations: null })).toBe(
      liveState({ ...FACTS, confirmations: { seen: 0 } }),
    );
  });

  it.each([
    { status: 'OPEN' },
    { receivedAmount: { atomic: '1' } },
    { remainingAmount: { atomic: '1' } },
    { confirmations: { seen: 2 } },
  ])('changes with %j', (change) => {
    expect(liveState({ ...FACTS, ...change })).not.toBe(liveState(FACTS));
  });
});
