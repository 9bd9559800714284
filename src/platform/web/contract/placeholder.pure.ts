/** `<webhook secret>`, `whsec_<secret>`, `$SECRET` or `${SECRET}`: what documents and unexpanded commands say. */
const PLACEHOLDER = /^(?:[\w-]*<[^<>]+>|\$[A-Z][A-Z0-9_]*|\$\{[A-Z][A-Z0-9_]*\})$/;

/** Whether a text is the name of a value, and not a value. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}
