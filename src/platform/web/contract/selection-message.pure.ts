import { eitherOf, similarNames } from '../../kernel/errors/similar-names.pure.js';

/** Items; longer lists are not repeated in the message. */
const LONGEST_LIST = 20;

export interface Selection {
  /** The values that may be sent. */
  allowed: readonly string[];
  /** The values that were probably meant, if the caller knows more than similar spelling. */
  meant?: readonly string[];
  /** A sentence about the field, instead of the list of allowed values. */
  rule?: string;
}

/**
 * The error message for a value that is not allowed: Laravel's sentence (specification/errors.md#body), then similar
 * values, then the allowed ones. It never repeats the sent value, which may be a secret in the wrong field.
 */
export function selectionMessage(field: string, sent: unknown, selection: Selection): string {
  const { allowed, rule } = selection;
  const meant = selection.meant ?? (typeof sent === 'string' ? similarNames(sent, allowed) : []);
  const sentences = [`The selected ${field} is invalid.`];
  if (meant.length > 0) sentences.push(`Did you mean ${eitherOf(meant)}?`);
  if (rule !== undefined) sentences.push(rule);
  else if (allowed.length === 1) sentences.push(`It must be ${allowed.join()}.`);
  else if (allowed.length > 1 && allowed.length <= LONGEST_LIST)
    sentences.push(`It must be one of ${allowed.join(', ')}.`);
  return sentences.join(' ');
}
