import { runInNewContext } from 'node:vm';
import { webAsset } from '../../platform/html/web-asset.js';
import { type LiveFacts, liveState } from './live-state.js';

const FACTS = {
  status: 'FOUND',
  receivedAmount: { atomic: '0' },
  remainingAmount: { atomic: '340282366920938463463374607431768211456' },
  confirmations: { seen: 1, required: 12, estimatedSecondsRemaining: 132, delayed: false },
  unmatchedTransactions: [{ id: 'a' }, { id: 'b' }],
};

describe('liveState', () => {
  it('contains every digit of an amount', () => {
    expect(liveState(FACTS)).toBe('FOUND 0 340282366920938463463374607431768211456 1 12 132 false a,b');
  });

  it('is the same without a chain and without confirmations', () => {
    expect(liveState({ ...FACTS, confirmations: null })).toBe(
      liveState({
        ...FACTS,
        confirmations: { seen: 0, required: 0, estimatedSecondsRemaining: null, delayed: false },
      }),
    );
  });

  it.each([
    { status: 'OPEN' },
    { receivedAmount: { atomic: '1' } },
    { remainingAmount: { atomic: '1' } },
    { confirmations: { ...FACTS.confirmations, seen: 2 } },
    { confirmations: { ...FACTS.confirmations, required: 32 } },
    { confirmations: { ...FACTS.confirmations, estimatedSecondsRemaining: 131 } },
    { confirmations: { ...FACTS.confirmations, delayed: true } },
    { unmatchedTransactions: [{ id: 'b' }] },
    { unmatchedTransactions: [] },
  ])('changes with %j', (change) => {
    expect(liveState({ ...FACTS, ...change })).not.toBe(liveState(FACTS));
  });

  it.each<LiveFacts>([
    FACTS,
    { ...FACTS, confirmations: null },
    { ...FACTS, confirmations: { seen: 0, required: 2, estimatedSecondsRemaining: null, delayed: true } },
  ])('equals the fingerprint of the page’s script for %j', (facts) => {
    const [source] = /function stateOf[^]*?join\(" "\)\}/.exec(webAsset('checkout.js')) ?? [];
    expect(runInNewContext(`(${source})`)(facts)).toBe(liveState(facts));
  });
});
