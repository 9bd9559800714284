import { FieldRule } from '../common/validation.js';
import { isPaymentStatus } from './payment-status.js';

/** "OPEN,FOUND" as an array of statuses; an unknown one is refused, never ignored. */
export function IsStatusList(): PropertyDecorator {
  return FieldRule('isStatusList', (value) => {
    const names = typeof value === 'string' ? value.split(',') : [];
    return names.length > 0 && names.every(isPaymentStatus)
      ? { value: names }
      : { problems: [{ message: (field) => `The selected ${field} is invalid.` }] };
  });
}
