import type { Chain } from '../chains/chain.pure.js';
import { confirmationProblems } from './confirmation-overrides.pure.js';

const chain = (slug: string, changes: Partial<Chain> = {}) =>
  ({
    slug,
    name: slug.toUpperCase(),
    chainId: null,
    assets: [],
    confirmationsRequired: 2,
    reorgWindow: 144,
    ...changes,
  }) as Chain;
const CHAINS = [
  chain('bitcoin'),
  chain('litecoin', { confirmationsRequired: 6, confirmationsMin: 3, confirmationsMax: 24 }),
  chain('ethereum', { finality: 'finalized' }),
];

describe('confirmationProblems', () => {
  it.each<[string, Record<string, number>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['the chain’s own number', { bitcoin: 2 }, {}],
    ['more, up to the kept history', { bitcoin: 144 }, {}],
    ['less, where the operator allows it', { litecoin: 3, bitcoin: 3 }, {}],
    ['less than its own', { bitcoin: 1 }, { bitcoin: 'must be between 2 and 144.' }],
    ['more than the kept history', { bitcoin: 145 }, { bitcoin: 'must be between 2 and 144.' }],
    ['less than the operator allows', { litecoin: 2 }, { litecoin: 'must be between 3 and 24.' }],
    ['more than the operator allows', { litecoin: 25 }, { litecoin: 'must be between 3 and 24.' }],
    ['an unknown chain', { peercoin: 20, bitcoin: 2 }, { peercoin: 'is invalid. It must be one of bitcoin' }],
    [
      'a chain that is not enabled',
      { dogecoin: 20 },
      { dogecoin: 'is known, but not enabled on this gateway' },
    ],
    ['a name that objects have', { constructor: 20 }, { constructor: 'is invalid.' }],
    ['a chain in other letters', { Bitcoin: 2 }, { Bitcoin: 'is invalid. Did you mean bitcoin?' }],
    [
      'a chain that decides by itself',
      { ethereum: 64 },
      { ethereum: 'ETHEREUM decides when funds are final.' },
    ],
    ['two wrong ones', { bitcoin: 1, peercoin: 1 }, { bitcoin: 'must be between', peercoin: 'is invalid.' }],
  ])('%s', (_what, wanted, problems) => {
    const expected = Object.entries(problems).map(([slug, text]) => [
      `confirmations.${slug}`,
      [expect.stringContaining(text)],
    ]);
    expect(confirmationProblems(wanted, CHAINS)).toEqual(Object.fromEntries(expected));
  });
});
