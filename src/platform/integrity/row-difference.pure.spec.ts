import { describeDifference, type RowDifference } from './row-difference.pure.js';

const LEFT = 'as entry 7 of the audit log left it';
const DELETED = 'deleted, as entry 7 of the audit log says';

it.each<[Omit<RowDifference, 'object' | 'seq' | 'sleeps'>, string, string]>([
  [{ isExpected: true, isPresent: true }, LEFT, 'another state of it'],
  [{ isExpected: true, isPresent: false }, LEFT, 'no row'],
  [{ isExpected: false, isPresent: true }, DELETED, 'a row'],
])('describeDifference(%j)', (about, expected, found) => {
  expect(describeDifference({ object: 'users 1', seq: '7', sleeps: null, ...about })).toEqual({
    expected,
    found,
  });
});

it('describeDifference of a row that no entry is about', () => {
  const about = {
    object: 'webhook_endpoints 1',
    seq: null,
    isExpected: false,
    isPresent: true,
    sleeps: null,
  };
  expect(describeDifference(about)).toEqual({ expected: 'an entry of the audit log', found: 'none' });
});

it('describeDifference of a row that was put to sleep', () => {
  const about = {
    object: 'refunds 1',
    seq: null,
    isExpected: false,
    isPresent: true,
    sleeps: 'next_check_at infinity',
  };
  expect(describeDifference(about)).toEqual({
    expected: 'a time soon to be looked at again',
    found: 'next_check_at infinity',
  });
});
