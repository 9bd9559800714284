import { UUID } from './ids.pure.js';

/** Objects whose ids are in paths. */
export type IdKind =
  'payment' | 'payment application' | 'site' | 'refund' | 'client token' | 'webhook delivery';

/** Where an id of each kind comes from. */
const SOURCES: Record<IdKind, string> = {
  payment: 'POST /api/payment/checkout returns it as id',
  'payment application': 'GET /api/payment-applications lists it as id',
  site: 'GET /api/sites lists it as id, and an application shows it as site.id',
  refund: 'GET /api/payment/{paymentId}/refunds lists it as id',
  'client token': 'GET /api/payment-applications/{id}/client-tokens lists it as id',
  'webhook delivery':
    'GET /api/payment-applications/{id}/webhook-deliveries lists it as id; the id in a webhook is that of the event',
};

/** Forms that are mistaken for ids, and what each is; the first match counts. */
const FORMS: readonly [form: RegExp, what: string][] = [
  [/^pct_/, 'a client token. URLs end up in logs, so revoke it and create another one'],
  [/^whsec_/, 'a webhook secret. URLs end up in logs, so replace it'],
  [
    /^(undefined|null|none|nil|nan|true|false|\[object object\]|%s|0)$/i,
    'the printed form of a missing value',
  ],
  [/^([{<[$%:].*|your[-_ ]?.*)$/i, 'a placeholder'],
  [/^https?:/i, 'a whole address, of which only the id belongs here'],
  [/[?&=]/, 'an id with a query behind it, of which only the id belongs here'],
  [/^0x[0-9a-f]{64}$/i, 'the hash of a transaction'],
  [/^0x[0-9a-f]{40}$/i, 'an address of a blockchain'],
  [/^[0-9a-f]{64}$/i, 'a signature, or the hash of a transaction'],
  [/^[0-9a-f]{32}$/i, 'a UUID without its hyphens'],
  [
    /^[a-z0-9]{32}$/,
    'the clientId of a payment application, which belongs in the body of POST /api/payment/checkout',
  ],
  [/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i, 'a UUID in capitals, which belongs here in lower case'],
  [/^[\w-]{43}$/, 'an access token. URLs end up in logs, so send it in the Authorization header only'],
];

/** What a text that is no id probably is, or null. */
export function describeForm(text: string): string | null {
  return FORMS.find(([form]) => form.test(text))?.[1] ?? null;
}

/**
 * The hint of a 404 about an id in a path, by the id's form alone: it is the same for all well-formed ids, whether they
 * are unknown or belong to another user.
 */
export function describePathId(kind: IdKind, text: string): string {
  const article = /^[aeiou]/.test(kind) ? 'An' : 'A';
  const source = `${article} ${kind} id is a UUID (${SOURCES[kind]})`;
  if (UUID.test(text))
    return kind === 'payment'
      ? `None of the payments that this token may see has this id (${SOURCES.payment}); a client token sees those of its own application only.`
      : `You have no ${kind} with this id (${SOURCES[kind]}).`;
  const form = describeForm(text);
  return form === null ? `${source}, and this is not one.` : `${source}; this looks like ${form}.`;
}
