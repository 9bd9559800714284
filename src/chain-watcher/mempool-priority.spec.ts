import { mempoolPriority } from './mempool-priority.js';

describe('the order of reading a mempool', () => {
  it.each<[name: string, waiting: string, read: string, listed: string, order: string]>([
    ['everything at the first look', 'abc', '', '', 'abc'],
    ['nothing twice', 'abc', 'abc', 'abc', ''],
    ['what has just come before what has waited longer', 'abcde', 'b', 'abc', 'deac'],
    ['what comes back after it was forgotten', 'ab', '', 'ab', 'ab'],
    ['what was read and is new to the list', 'ab', 'b', '', 'a'],
    ['nothing of an empty mempool', '', 'ab', 'ab', ''],
  ])('is %s', (_name, waiting, read, listed, order) => {
    expect(mempoolPriority(waiting.split(''), new Set(read), new Set(listed)).join('')).toBe(order);
  });
});
