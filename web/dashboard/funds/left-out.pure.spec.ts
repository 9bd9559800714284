import { LEFT_OUT } from '../../../src/collections/left-out.pure.js';
import type { LeftOut } from '../api/operations.js';
import { groupsOf } from './left-out.pure.js';

const left = (reason: LeftOut['reason'], atomic: string | null): LeftOut =>
  ({
    reason,
    amount: atomic === null ? null : { atomic, decimals: 8, currency: { code: 'LTC' } },
    token: null,
  }) as LeftOut;

it('has a sentence for each reason that the gateway gives, and no other', () => {
  const groups = groupsOf(LEFT_OUT.map((reason) => left(reason, '1')));
  expect(groups.map(({ reason }) => reason).toSorted()).toEqual([...LEFT_OUT].toSorted());
  expect(new Set(groups.map(({ words }) => words)).size).toBe(LEFT_OUT.length);
});

it('adds up by reason, and takes what no node says for unknown, not for nothing', () => {
  const groups = groupsOf([
    left('unread', null),
    left('spent', '2'),
    left('unread', null),
    left('spent', '3'),
  ]);
  expect(
    groups.map(({ reason, items, sums, isPartlyUnknown }) => [
      reason,
      items.length,
      sums.map(({ atomic }) => atomic),
      isPartlyUnknown,
    ]),
  ).toEqual([
    ['unread', 2, [], true],
    ['spent', 2, ['5'], false],
  ]);
});

it('of nothing is nothing', () => {
  expect(groupsOf([])).toEqual([]);
});
