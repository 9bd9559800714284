import { STANDARD_EVENTS } from './event-types.pure.js';
import { FieldRule } from '../platform/contract/validation.js';

/**
 * None of the standard events can be switched off: payment.received is what a payment is confirmed by
 * (specification/payment-states.md#confirmed), and the others tell of money as well. A list that leaves one out is
 * refused, never completed in silence.
 */
export function ListsStandardEvents(): PropertyDecorator {
  return FieldRule('listsStandardEvents', (value) => {
    // What is no list is refused by the rule for lists.
    if (!Array.isArray(value)) return { value };
    const missing = STANDARD_EVENTS.filter((type) => !value.includes(type));
    if (missing.length === 0) return { value };
    const message = (field: string) =>
      `The ${field} field must list ${STANDARD_EVENTS.join(', ')}, which are always sent; missing: ${missing.join(', ')}.`;
    return { problems: [{ message }] };
  });
}
