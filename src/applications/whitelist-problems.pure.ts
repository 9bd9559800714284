import type { FieldErrors } from '../platform/kernel/errors/errors.pure.js';
import { notEnabled } from '../platform/kernel/errors/not-enabled.pure.js';

/**
 * Why a whitelist may not be set, by item; empty if it may. Its codes are known currencies.
 * @param enabled codes that can be paid on this gateway
 * @param stored the application's current whitelist: codes that were accepted once may be sent again
 */
export function whitelistProblems(
  whitelist: readonly string[],
  enabled: readonly string[],
  stored: readonly string[],
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [at, code] of whitelist.entries()) {
    if (enabled.includes(code) || stored.includes(code)) continue;
    const field = `currencyWhitelist.${at}`;
    errors[field] = [notEnabled(field, enabled)];
  }
  return errors;
}
