/**
 * Milliseconds of a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date. A date is compared with the
 * response's own `Date` header, because the clocks of the two machines may differ.
 * @returns null when there is none, or none that can be read
 */
export function retryAfterMs(retryAfter: unknown, date: unknown): number | null {
  if (typeof retryAfter !== 'string') return null;
  const header = retryAfter.trim();
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  if (typeof date !== 'string' || !HTTP_DATE.test(header)) return null;
  const ms = Date.parse(header) - Date.parse(date);
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The form that senders must use (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
