import { missingWord } from './status.pure.js';

describe('what has not come', () => {
  it.each([
    ['OPEN', 'money.missing'],
    ['FOUND', 'money.missing'],
    ['UNDERPAID', 'money.missing'],
    ['CANCELLED', 'money.missing'],
    ['ERROR', 'money.missing'],
    ['RECEIVED', 'money.waived'],
    ['CONFIRMED', 'money.waived'],
    ['REFUND', 'money.waived'],
  ] as const)('of a payment that is %s is %s', (status, word) => {
    expect(missingWord(status)).toBe(word);
  });
});
