import type { ChainReport } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

/** A chain's state as operators see it. */
export const CHAIN_WORDS: Record<ChainReport['state'], readonly [Tone, MessageKey]> = {
  ok: ['good', 'chain.ok'],
  unknown: ['idle', 'chain.unknown'],
  catching_up: ['warn', 'chain.catching-up'],
  stalled: ['warn', 'chain.stalled'],
  unwatched: ['warn', 'chain.unwatched'],
  unreachable: ['bad', 'chain.unreachable'],
  halted: ['bad', 'chain.halted'],
};
