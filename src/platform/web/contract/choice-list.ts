import { type Reading, refuse } from './field.js';
import { selectionMessage } from './selection-message.pure.js';

/**
 * "OPEN,FOUND" as an array; an unknown name is refused, never ignored.
 * @param otherNames what others call a choice, in upper case
 */
export function readChoiceList(
  value: unknown,
  choices: readonly string[],
  otherNames: Readonly<Record<string, readonly string[]>> = {},
): Reading {
  const names = typeof value === 'string' ? value.split(',') : [];
  const wrong = names.find((name) => !choices.includes(name));
  if (names.length > 0 && wrong === undefined) return { value: names };
  return refuse((field) => {
    const meant = otherNames[wrong?.trim().toUpperCase() ?? ''];
    const message = selectionMessage(field, wrong, { allowed: choices, ...(meant && { meant }) });
    return `${message} Several are separated by commas, without spaces.`;
  });
}
