import { networkWords } from './network-words.pure.js';

describe('a network', () => {
  it.each([
    ['OPERATIONAL', 'good', 'webhooks.working'],
    ['CATCHING_UP', 'warn', 'chain.catching-up'],
    // It accepts payments, and nobody sees one.
    ['DELAYED', 'warn', 'chain.stalled'],
    ['UNAVAILABLE', 'bad', 'attention.chain_halted'],
    ['OF_A_LATER_VERSION', 'idle', 'chain.unknown'],
    ['constructor', 'idle', 'chain.unknown'],
    [undefined, 'idle', 'chain.unknown'],
  ])('that is %s is %s, %s', (status, tone, word) => {
    expect(networkWords(status)).toEqual([tone, word]);
  });
});
