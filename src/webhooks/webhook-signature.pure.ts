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

/**
 * The signature headers of one attempt, both schemes over the same bytes (specification/webhooks.md#signatures). An old
 * secret adds a second entry to the Standard Webhooks list, but a header of its own to the plain scheme: simple
 * verifiers compare the whole header.
 */
export function signatureHeaders(message: SignedMessage, secrets: SigningSecrets): Record<string, string> {
  const { id, type, body, unixSeconds } = message;
  const signing = [secrets.current, secrets.previous].filter((secret) => secret !== null).map(keyOf);
  const standard = signing.map((key) => `v1,${sign(key, `${id}.${unixSeconds}.`, body, 'base64')}`);
  const [plain = '', previousPlain] = signing.map((key) => sign(key, `${unixSeconds}.`, body, 'hex'));
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
