import { isCleanText } from '../../../platform/web/contract/text-forms.pure.js';
import { ValidationError } from '../../../platform/kernel/errors/errors.pure.js';

const EMAIL = /^[^\s@"<>(),:;\\[\]]{1,64}@[^\s@"<>(),:;\\[\]]{1,189}$/;

/** What {@link normalizeEmail} takes, for the document. */
export const EMAIL_BOUNDS = { pattern: `^\\s*${EMAIL.source.slice(1, -1)}\\s*$` };

/** An address as it is stored and looked up. @throws ValidationError */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email) || !isCleanText(email))
    throw ValidationError.of('email', 'The email field must be a valid email address.');
  return email;
}
