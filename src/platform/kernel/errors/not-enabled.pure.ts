/**
 * The message for a choice that the gateway knows and its operator has not enabled, in the form of the other messages
 * of a field.
 * @param enabled the available choices
 */
export function notEnabled(field: string, enabled: readonly string[]): string {
  const instead = enabled.length === 0 ? 'none is enabled' : `enabled: ${enabled.join(', ')}`;
  return `The selected ${field} is known, but not enabled on this gateway; ${instead}.`;
}
