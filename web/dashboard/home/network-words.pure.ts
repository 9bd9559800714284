import type { BlockchainDetails } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

type Status = NonNullable<BlockchainDetails['state']>['status'];

const WORDS: Readonly<Record<Status, readonly [Tone, MessageKey]>> = {
  OPERATIONAL: ['good', 'webhooks.working'],
  CATCHING_UP: ['warn', 'chain.catching-up'],
  DELAYED: ['warn', 'chain.stalled'],
  UNAVAILABLE: ['bad', 'attention.chain_halted'],
};

/** How a network is. What this version does not know is not shown as fine. */
export function networkWords(status: string | undefined): readonly [Tone, MessageKey] {
  return status !== undefined && Object.hasOwn(WORDS, status)
    ? WORDS[status as Status]
    : ['idle', 'chain.unknown'];
}
