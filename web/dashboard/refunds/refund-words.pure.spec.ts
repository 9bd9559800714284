import type { RefundStatus } from '../api/operations.js';
import { isPayable, isWithdrawable } from './refund-words.pure.js';

it.each<[RefundStatus, boolean, boolean]>([
  ['AWAITING_ADDRESS', false, true],
  ['AWAITING_PAYMENT', true, true],
  ['FAILED', true, true],
  ['PROCESSING', false, false],
  ['COMPLETED', false, false],
  ['CANCELLED', false, false],
  ['EXPIRED', false, false],
])('%s can be paid: %s, and withdrawn: %s', (status, canPay, canWithdraw) => {
  expect(isPayable(status)).toBe(canPay);
  expect(isWithdrawable(status)).toBe(canWithdraw);
});
