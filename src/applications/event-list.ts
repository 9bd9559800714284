import { refuse, type Rule } from '../platform/web/contract/field.js';
import { STANDARD_EVENTS } from './event-types.pure.js';

/**
 * Standard events cannot be switched off: the response to payment.received confirms a payment
 * (specification/payment-states.md#confirmed), and the others report money too. A list that omits one is refused, not
 * completed silently.
 */
export const listsStandardEvents: Rule = (value) => {
  // A value that is not an array is refused by the rule for arrays.
  if (!Array.isArray(value)) return { value };
  const missing = STANDARD_EVENTS.filter((type) => !value.includes(type));
  if (missing.length === 0) return { value };
  return refuse(
    (field) =>
      `The ${field} field must list ${STANDARD_EVENTS.join(', ')}, which are always sent; missing: ${missing.join(', ')}.`,
  );
};
