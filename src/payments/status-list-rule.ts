import { readChoiceList } from '../platform/web/contract/choice-list.js';
import type { Rule } from '../platform/web/contract/field.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.pure.js';

/** Names that other gateways have for a status, in upper case. */
const OTHER_NAMES: Readonly<Record<string, readonly PaymentStatus[]>> = {
  PAID: ['CONFIRMED'],
  COMPLETED: ['CONFIRMED'],
  SUCCESS: ['CONFIRMED'],
  PENDING: ['OPEN', 'FOUND'],
  NEW: ['OPEN'],
  EXPIRED: ['OPEN'],
};

/** "OPEN,FOUND" as an array of statuses. */
export const readStatusList: Rule = (value) => readChoiceList(value, PAYMENT_STATUSES, OTHER_NAMES);
