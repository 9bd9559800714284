import { ArrayMaxSize, IsArray } from 'class-validator';
import { uuidMessage } from '../../kernel/id-forms.pure.js';
import { fromText, parseUuid } from './conversions.js';
import { must, says } from './messages.js';
import { selectionMessage } from './selection-message.pure.js';

/* Lists in a query, separated by commas. */

export const SEVERAL = 'Several are separated by commas, without spaces.';

const itemsOf = (sent: unknown) => (typeof sent === 'string' ? sent.split(',') : []);

/**
 * "OPEN,FOUND" as an array; an unknown name is refused, never ignored.
 * @param otherNames what others call a choice, in upper case
 */
export function choiceList(
  choices: readonly string[],
  otherNames: Readonly<Record<string, readonly string[]>> = {},
) {
  const wrongIn = (names: readonly string[]) => names.find((name) => !choices.includes(name));
  return {
    convert: fromText((text) => (wrongIn(itemsOf(text)) === undefined ? itemsOf(text) : null)),
    rules: [
      IsArray(
        says((field, sent) => {
          const wrong = wrongIn(itemsOf(sent));
          const meant = otherNames[wrong?.trim().toUpperCase() ?? ''];
          return `${selectionMessage(field, wrong, { allowed: choices, ...(meant && { meant }) })} ${SEVERAL}`;
        }),
      ),
    ],
  };
}

/** UUIDs, each once, in lower case. @param max how many */
export function uuidList(max: number) {
  return {
    convert: fromText((text) => {
      const ids = itemsOf(text).map(parseUuid);
      return ids.includes(null) ? null : [...new Set(ids)];
    }),
    rules: [
      IsArray(
        says((field, sent) => {
          const wrong = itemsOf(sent).find((id) => parseUuid(id) === null);
          return `${uuidMessage(field, wrong?.toLowerCase() ?? sent)} ${SEVERAL}`;
        }),
      ),
      ArrayMaxSize(max, must(`not have more than ${max} items`)),
    ],
  };
}
