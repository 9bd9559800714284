import type { PaymentStatus } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

interface StatusWords {
  tone: Tone;
  word: MessageKey;
}

/** How a status is shown, in words of a shop and not of the API. */
export const STATUS_WORDS: Record<PaymentStatus, StatusWords> = {
  OPEN: { tone: 'idle', word: 'status.open' },
  FOUND: { tone: 'calm', word: 'status.found' },
  UNDERPAID: { tone: 'warn', word: 'status.underpaid' },
  RECEIVED: { tone: 'warn', word: 'status.received' },
  CONFIRMED: { tone: 'good', word: 'status.confirmed' },
  CANCELLED: { tone: 'idle', word: 'status.cancelled' },
  ERROR: { tone: 'bad', word: 'status.error' },
  REFUND: { tone: 'good', word: 'status.refund' },
};

/** Of what has not come: an order that is paid all the same waits for nothing. */
export function missingWord(status: PaymentStatus): MessageKey {
  return status === 'RECEIVED' || status === 'CONFIRMED' || status === 'REFUND'
    ? 'money.waived'
    : 'money.missing';
}
