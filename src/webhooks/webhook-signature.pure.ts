import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { SigningSecrets } from '../applications/signing-secrets.service.js';
import { decodedSecret } from '../applications/webhook-secret.pure.js';

/** The parts of one attempt that are signed. */
export interface SignedMessage {
  /** The event's id: the same on every attempt, so that receivers can drop repetitions. */
  id: string;
  /** The event's name, e.g. `payment.received`. */
  type: string;
  /** The stored bytes, exactly as they are sent. */
  body: Buffer;
  /** When this attempt starts. */
  unixSeconds: number;
}

/**
 * The HMAC key of a secret: `whsec_<base64>` is decoded, any other text is its UTF-8 bytes
 * (specification/webhooks.md#secrets).
 */
export function signingKey(secret: string): Buffer {
  return decodedSecret(secret) ?? Buffer.from(secret, 'utf8');
}

/** The most keys that are kept; each is a few hundred bytes. */
const MAX_KEYS = 10_000;
/** By their secret. Making a key costs as much as signing a short body with it. */
const keys = new Map<string, KeyObject>();

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(signingKey(secret));
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(secret, key);
  }
  return key;
}

/** How servers answer a signature that does not hold: as the documents say, as they mean it, or by an uncaught error. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 422, 500]);

/** Whether the answer may mean that the server has the other one of two secrets. */
export function mayHaveOtherSecret(status: number, { previous }: SigningSecrets): boolean {
  return previous !== null && REFUSALS.has(status);
}

/**
 * The signature headers of one request, both schemes over the same bytes (specification/webhooks.md#signatures). A
 * secret that was replaced adds a second entry to the Standard Webhooks list. The plain header holds one signature only,
 * because simple verifiers compare all of it: that of the previous secret, which a server has until somebody changes
 * it, and the new one's when the request is repeated; the other one stands in a header of its own.
 */
export function signatureHeaders(
  message: SignedMessage,
  secrets: SigningSecrets,
  { isRepeated = false }: { isRepeated?: boolean } = {},
): Record<string, string> {
  const { id, type, body, unixSeconds } = message;
  const signing = [secrets.current, secrets.previous].filter((secret) => secret !== null).map(keyOf);
  const standard = signing.map((key) => `v1,${sign(key, `${id}.${unixSeconds}.`, body, 'base64')}`);
  const hex = signing.map((key) => sign(key, `${unixSeconds}.`, body, 'hex'));
  const [plain = '', previousPlain] = isRepeated ? hex : hex.toReversed();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standard.join(' '),
    'X-PaymentService-Event': type,
    'X-PaymentService-Timestamp': String(unixSeconds),
    'X-PaymentService-Signature': plain,
    ...(previousPlain !== undefined && { 'X-PaymentService-Signature-Previous': previousPlain }),
  };
}

function sign(key: KeyObject, prefix: string, body: Buffer, encoding: 'base64' | 'hex'): string {
  return createHmac('sha256', key).update(prefix, 'utf8').update(body).digest(encoding);
}
