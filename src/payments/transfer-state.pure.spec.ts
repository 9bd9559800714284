import { awaitsRate, isLive, type TransferState } from './transfer-state.pure.js';

const LIVE: [TransferState, boolean][] = [
  ['pending', true],
  ['confirmed', true],
  ['orphaned', false],
  ['replaced', false],
  ['dropped', false],
];

it.each(LIVE)('a %s transfer is live: %s', (state, expected) => {
  expect(isLive({ state })).toBe(expected);
});

describe('a transfer waits for a rate', () => {
  it.each(LIVE)('when it is matched, has no quote and is %s: %s', (state, expected) => {
    expect(awaitsRate({ state, isMatched: true, quoteId: null })).toBe(expected);
  });

  it.each([
    ['is not matched', { isMatched: false, quoteId: null }],
    ['has a quote', { isMatched: true, quoteId: '0192f0c1-0000-7000-8000-000000000001' }],
  ])('never when it %s', (_, fields) => {
    expect(awaitsRate({ state: 'pending', ...fields })).toBe(false);
  });
});
