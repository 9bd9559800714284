import { afterDistrust, PaymentIntegrityError, requireAuthentic } from './payment-integrity.pure.js';

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

it('a payment that is not authentic is looked at again after a minute', () => {
  expect(afterDistrust(new Date('2026-01-01T00:00:30Z'))).toEqual(new Date('2026-01-01T00:01:30Z'));
});
