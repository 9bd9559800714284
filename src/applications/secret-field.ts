import type { Check } from '../platform/web/contract/field.js';
import { isPlaceholder } from '../platform/web/contract/placeholder.pure.js';
import { HOW_TO_MAKE_A_SECRET, isMalformedSecret } from './webhook-secret.pure.js';

const NO_PLACEHOLDER: Check = {
  holds: (value) => typeof value !== 'string' || !isPlaceholder(value),
  message: (field) =>
    `The ${field} field is a placeholder of the documentation: send ${HOW_TO_MAKE_A_SECRET}.`,
};

/** Of a secret that looks encoded; the message never repeats it. */
const WELL_FORMED: Check = {
  holds: (value) => typeof value !== 'string' || isPlaceholder(value) || !isMalformedSecret(value),
  message: (field) =>
    `The ${field} field begins with whsec_, so padded standard base64 of at least one byte must follow, e.g. ${HOW_TO_MAKE_A_SECRET}.`,
};

/** The field of a webhook secret that is set. */
export const SECRET = {
  min: 1,
  max: 255,
  also: [NO_PLACEHOLDER, WELL_FORMED],
  blank: false as const,
  writeOnly: true,
  about:
    'Signs webhooks; stored encrypted, never returned. Use at least 32 random bytes. A secret that begins with `whsec_` ' +
    'must continue with padded standard base64 of at least one byte, which is decoded; any other text is used as it is.',
  example: 'whsec_dGhpcnR5LXR3by1yYW5kb20tYnl0ZXMtYXJlLWdvb2Q=',
};
