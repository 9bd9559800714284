import { selectionMessage } from '../platform/contract/selection-message.pure.js';
import { type Reading, refuse } from '../platform/contract/field.js';
import { isPaymentStatus, PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';

/** Names that other gateways have for a status, in upper case. */
const OTHER_NAMES: Readonly<Record<string, readonly PaymentStatus[]>> = {
  PAID: ['CONFIRMED'],
  COMPLETED: ['CONFIRMED'],
  SUCCESS: ['CONFIRMED'],
  PENDING: ['OPEN', 'FOUND'],
  NEW: ['OPEN'],
  EXPIRED: ['OPEN'],
};

/** "OPEN,FOUND" as an array of statuses; an unknown one is refused, never ignored. */
export function readStatusList(value: unknown): Reading {
  const names = typeof value === 'string' ? value.split(',') : [];
  const wrong = names.find((name) => !isPaymentStatus(name));
  if (names.length > 0 && wrong === undefined) return { value: names };
  return refuse((field) => {
    const meant = OTHER_NAMES[wrong?.trim().toUpperCase() ?? ''];
    const message = selectionMessage(field, wrong, { allowed: PAYMENT_STATUSES, ...(meant && { meant }) });
    return `${message} Several are separated by commas, without spaces.`;
  });
}
