import { mempoolPriority } from './mempool-priority.pure.js';

describe('mempoolPriority', () => {
  it.each<[name: string, waiting: string, read: string, listed: string, order: string]>([
    ['reads everything at first', 'abc', '', '', 'abc'],
    ['reads nothing twice', 'abc', 'abc', 'abc', ''],
    ['reads new transactions before older unread ones', 'abcde', 'b', 'abc', 'deac'],
    ['reads forgotten transactions again', 'ab', '', 'ab', 'ab'],
    ['skips read transactions that are new in the list', 'ab', 'b', '', 'a'],
    ['reads nothing from an empty mempool', '', 'ab', 'ab', ''],
  ])('%s', (_name, waiting, read, listed, order) => {
    expect(mempoolPriority(waiting.split(''), new Set(read), new Set(listed)).join('')).toBe(order);
  });
});
