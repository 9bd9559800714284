import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';

/** The secret was changed less than 24 hours ago (specification/webhooks.md#secret-rotation). */
export class SecretChangePendingError extends ConflictError {
  constructor(applicationId: string, until: Date) {
    super(
      'secret_change_pending',
      `The secret was changed already, and the one before it signs too until ${toIsoSeconds(until)}. A third one is taken after that.`,
      {
        hint: `Once your server has the new secret, end the previous one by POST /api/payment-applications/${applicationId}/webhook-endpoint/end-previous-secret.`,
      },
    );
  }
}
