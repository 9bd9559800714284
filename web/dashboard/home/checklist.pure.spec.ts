import { checklist, isComplete, type Known } from './checklist.pure.js';

const NOTHING: Known = {
  applications: undefined,
  tokens: undefined,
  hasCallback: undefined,
  payments: undefined,
  paid: undefined,
};
const states = (known: Partial<Known>) => checklist({ ...NOTHING, ...known }).map(({ isDone }) => isDone);

it.each<[string, Partial<Known>, (boolean | null)[]]>([
  ['before anything is known', {}, [null, null, null, null, null]],
  ['without an application', { applications: 0, payments: 0, paid: 0 }, [false, false, false, false, false]],
  [
    'with an application',
    { applications: 1, tokens: 0, hasCallback: false, payments: 0, paid: 0 },
    [true, false, false, false, false],
  ],
  [
    'with an open payment',
    { applications: 1, tokens: 1, hasCallback: true, payments: 1, paid: 0 },
    [true, true, true, true, false],
  ],
  [
    'with a paid one',
    { applications: 2, tokens: 1, hasCallback: true, payments: 2, paid: 1 },
    [true, true, true, true, true],
  ],
])('%s', (_title, known, expected) => {
  expect(states(known)).toEqual(expected);
});

it('is complete when every step is known to be done', () => {
  const all = { applications: 1, tokens: 1, hasCallback: true, payments: 1, paid: 1 };
  expect(isComplete(checklist(all))).toBe(true);
  expect(isComplete(checklist({ ...all, paid: undefined }))).toBe(false);
});
