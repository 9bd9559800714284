import { PaymentIntegrityError, requireAuthentic } from './payment-integrity.pure.js';

it.each([
  [true, 'nothing'],
  [false, 'payment_integrity'],
])('a payment that is authentic: %p, is refused with %s', (isAuthentic, code) => {
  let refusal = 'nothing';
  try {
    requireAuthentic({ isAuthentic });
  } catch (error) {
    refusal = error instanceof PaymentIntegrityError ? error.code : String(error);
  }
  expect(refusal).toBe(code);
});
