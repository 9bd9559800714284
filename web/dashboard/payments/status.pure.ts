import type { PaymentStatus } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

interface StatusWords {
  tone: Tone;
  word: MessageKey;
  /** What happens, or what has to. */
  what: MessageKey;
}

/** How a status is shown, in words of a shop and not of the API. */
export const STATUS_WORDS: Record<PaymentStatus, StatusWords> = {
  OPEN: { tone: 'idle', word: 'status.open', what: 'what.open' },
  FOUND: { tone: 'calm', word: 'status.found', what: 'what.found' },
  UNDERPAID: { tone: 'warn', word: 'status.underpaid', what: 'what.underpaid' },
  RECEIVED: { tone: 'warn', word: 'status.received', what: 'what.received' },
  CONFIRMED: { tone: 'good', word: 'status.confirmed', what: 'what.confirmed' },
  CANCELLED: { tone: 'idle', word: 'status.cancelled', what: 'what.cancelled' },
  ERROR: { tone: 'bad', word: 'status.error', what: 'what.error' },
  REFUND: { tone: 'good', word: 'status.refund', what: 'what.refund' },
};
