import { FieldRule } from '../common/validation.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.js';

/** "OPEN,FOUND" as an array of statuses; an unknown one is refused, never ignored. */
export function IsStatusList(): PropertyDecorator {
  return FieldRule('isStatusList', (value) => {
    const names = typeof value === 'string' ? value.split(',') : [];
    return names.length > 0 && names.every(isStatus)
      ? { value: names }
      : { problems: [{ message: (field) => `The selected ${field} is invalid.` }] };
  });
}

function isStatus(name: string): name is PaymentStatus {
  return (PAYMENT_STATUSES as readonly string[]).includes(name);
}
