import { UUID } from './ids.pure.js';

/*
 * What an identifier in the wrong field looks like, by its form alone: whether such an object exists is not looked up,
 * so a response reveals nothing about other people's objects.
 */

const FORMS: readonly [RegExp, string][] = [
  [/^pct_/, 'a client token, which is a secret and belongs only into the Authorization header'],
  [/^whsec_/, 'a webhook secret, which must never be sent here'],
  [/^[xyztuvYZUV](pub|prv)[1-9A-HJ-NP-Za-km-z]{20,}/, 'an extended key'],
  [/^[a-z0-9]{32}$/, 'the clientId of a payment application'],
];

/** "This looks like a clientId, …", or null for a text without a known form. */
export function idForm(text: string): string | null {
  const trimmed = text.trim();
  if (UUID.test(trimmed.toLowerCase())) return 'a UUID';
  return FORMS.find(([form]) => form.test(trimmed))?.[1] ?? null;
}

/** The message for a value that should be a UUID. */
export function uuidMessage(field: string, sent: unknown): string {
  const must = `The ${field} field must be a valid UUID`;
  const text = typeof sent === 'string' ? sent : '';
  const form = idForm(text);
  if (form === 'a UUID') return `${must}, without spaces around it.`;
  if (/^[0-9a-f]{32}$/i.test(text)) return `${must}, with its hyphens.`;
  const message = `${must}, such as 550e8400-e29b-41d4-a716-446655440000.`;
  return form === null ? message : `${message} This looks like ${form}.`;
}
