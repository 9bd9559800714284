import type { Problem } from '../platform/web/contract/field.js';
import { mustMessage } from '../platform/web/contract/messages.js';
import { textArray } from '../platform/web/contract/rules.js';
import { LISTABLE_EVENTS, STANDARD_EVENTS } from './event-types.pure.js';

const LIST = textArray({ unique: true, oneOf: LISTABLE_EVENTS });
const MAX = LISTABLE_EVENTS.length;

function missingIn(types: readonly unknown[]): Problem[] {
  const missing = STANDARD_EVENTS.filter((type) => !types.includes(type)).join(', ');
  const form = `list ${STANDARD_EVENTS.join(', ')}, which are always sent; missing: ${missing}`;
  return missing === '' ? [] : [{ message: mustMessage(form) }];
}

/**
 * Standard events cannot be switched off: the response to payment.received confirms a payment
 * (specification/payment-states.md#confirmed), and the others report money too. A list that omits one is refused, not
 * completed silently.
 */
export const EVENT_LIST = {
  ...LIST,
  items: (types: readonly unknown[]): Problem[] => [
    ...(types.length > MAX
      ? [{ message: mustMessage(`not have more than ${MAX} items`) }]
      : LIST.items(types)),
    ...missingIn(types),
  ],
};
