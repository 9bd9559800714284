import { eitherOf, similarNames } from '../errors/similar-names.pure.js';

/** Up to here a list is said whole; a longer one is named by where it can be read. */
const LONGEST_LIST = 16;

export interface Selection {
  /** What may be sent, as it is written. */
  allowed: readonly string[];
  /** What was meant, where the caller recognizes it by more than its spelling. */
  meant?: readonly string[];
  /** A sentence about what belongs here, instead of the list of what is allowed. */
  rule?: string;
}

/**
 * What is said of a value that is not one of those allowed: Laravel's sentence (specification/errors.md#body), then the
 * near misses, then what is allowed. It never repeats what was sent, which may be a secret that went into the wrong
 * field.
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
