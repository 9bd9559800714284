import type { Chain } from '../chains/chain.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';
import { confirmationBounds } from '../chains/required-confirmations.pure.js';
import type { FieldErrors } from '../platform/kernel/errors/errors.pure.js';

/** A name that may be meant as a chain. Any other name is not repeated in a message: it may be a secret. */
const SLUG = /^[a-zA-Z0-9-]{1,24}$/;

/**
 * Why an application may not require these confirmations, by field; empty if it may.
 * @param wanted whole numbers from 1, by chain
 * @param chains those that the gateway watches
 */
export function confirmationProblems(
  wanted: Readonly<Record<string, number>>,
  chains: readonly Chain[],
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [slug, confirmations] of Object.entries(wanted)) {
    const field = `confirmations.${slug}`;
    const chain = chains.find((known) => known.slug === slug);
    const bounds = chain && confirmationBounds(chain);
    if (!chain) {
      const named = SLUG.test(slug) ? field : 'confirmations';
      errors[named] = [chainMessage(named, slug, chains)];
    } else if (!bounds)
      errors[field] = [`The ${field} field cannot be set: ${chain.name} decides when funds are final.`];
    else if (confirmations < bounds.min || confirmations > bounds.max)
      errors[field] = [`The ${field} field must be between ${bounds.min} and ${bounds.max}.`];
  }
  return errors;
}
