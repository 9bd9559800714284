import { ConflictError } from '../../platform/kernel/errors/errors.pure.js';
import type { PaymentAggregate } from '../payment.pure.js';

const DISTRUST_SECONDS = 60;

/** When a payment that is not authentic now is looked at again: its rows may have been put back. */
export function afterDistrust(now: Date): Date {
  return new Date(now.getTime() + DISTRUST_SECONDS * 1_000);
}

/** The rows of a payment are not as the gateway wrote them (docs/decisions/0870-who-acts-checks.md). */
export class PaymentIntegrityError extends ConflictError {
  constructor() {
    super(
      'payment_integrity',
      'The records of this payment were changed outside of the gateway, so that nothing can be said or decided about it.',
    );
  }
}

/** @throws PaymentIntegrityError */
export function requireAuthentic({ isAuthentic }: Pick<PaymentAggregate, 'isAuthentic'>): void {
  if (!isAuthentic) throw new PaymentIntegrityError();
}
