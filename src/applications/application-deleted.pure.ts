import { ConflictError } from '../platform/kernel/errors/errors.pure.js';

/** The message for changes to a deleted application. */
export function applicationDeleted(applicationId: string): ConflictError {
  return new ConflictError('application_deleted', 'The payment application is deleted. Restore it first.', {
    hint: `POST /api/payment-applications/${applicationId}/restore restores it.`,
  });
}
