import type { ValidationOptions } from 'class-validator';

/* The sentences of rules. They are those of Laravel (specification/errors.md#body), and name the field. */

/** "The … field must …". */
export const mustMessage = (rest: string) => (field: string) => `The ${field} field must ${rest}.`;
export const requiredMessage = (field: string) => `The ${field} field is required.`;
export const duplicateMessage = (field: string) => `The ${field} field has a duplicate value.`;

/** The message of a rule of class-validator. @param message is called with the value after its conversion */
export function says(message: (field: string, value: unknown) => string): ValidationOptions {
  return { message: ({ property, value }) => message(property, value) };
}

/** "The … field must …", of a rule of class-validator. */
export const must = (rest: string) => says(mustMessage(rest));
export const REQUIRED = says(requiredMessage);

/** The message for an invalid time. In a query "+" means a space, so that 12:00:00+02:00 loses its sign. */
export function instantMessage(field: string, sent: unknown): string {
  const form = 'be a valid ISO 8601 date with a time zone, e.g. 2027-01-31T12:00:00Z';
  const lostSign = typeof sent === 'string' && /T[\d:.,]+ \d\d(:?\d\d)?$/i.test(sent);
  return mustMessage(lostSign ? `${form}; in a query the + of a time zone is written as %2B` : form)(field);
}
