import { amountText } from './words.pure.js';

/** The summary: sign-plan.pure.spec.ts. */
it('an amount has all its digits, and no zeros at the end', () => {
  expect(amountText(12_345_678_900n, 8, 'X')).toBe('123.456789 X');
});
