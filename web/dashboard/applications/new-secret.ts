/** A secret for signing webhooks, in the form of Standard Webhooks: 256 random bits. */
export function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
