import type { WebhookEvent } from './api-types.js';
import { type WebhookRefusal, WebhookError } from './errors.js';
import { parseExact } from './exact-json.js';

/** Headers in the forms of `fetch`, Node and Express. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  headers: WebhookHeaders;
  /** The raw body, before any JSON parser: the signature covers exactly these bytes. */
  body: string | Uint8Array;
  /** The application's secret; several while it is being changed, or for several applications. */
  secret: string | readonly string[];
  /** Seconds that the timestamp may differ from `now` in either direction; default 300. */
  toleranceSeconds?: number;
  /** Default: the system clock. */
  now?: Date;
  /**
   * The gateway signs twice, and by default both signatures must be valid: Standard Webhooks (`webhook-*`) and the plain
   * hex scheme (`X-PaymentService-*`). Name one if a proxy passes only its headers.
   */
  scheme?: 'both' | 'standard' | 'plain';
  /** True: test events are returned like others, with `test` set. Default: null is returned for them. */
  allowTest?: boolean;
}

/** `CryptoKey` is a global type in browsers only. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const DEFAULT_TOLERANCE = 300;
/** `whsec_` and padded standard base64 of at least one byte: the form of Standard Webhooks. */
const ENCODED_SECRET = /^whsec_(?=.)((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** Unix seconds. */
const TIMESTAMP = /^[1-9]\d{0,11}$/;
/** Two while a secret is being changed; more would be an attempt to waste CPU time. */
const MAX_SIGNATURES = 8;

/**
 * Verifies that a webhook request comes from the gateway, unchanged and recently, and returns its event. Null for a
 * verified test event, which never happened: respond with a 2xx and do nothing.
 * @throws WebhookError with the reason
 * @throws TypeError if it is called without a secret or with a parsed body
 */
export function verifyWebhook(request: WebhookRequest & { allowTest: true }): Promise<WebhookEvent>;
export function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent | null>;
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent | null> {
  const { headers, scheme = 'both', allowTest = false } = request;
  const body = readBody(request.body);
  const keys = await Promise.all(readSecrets(request.secret).map(importKey));
  const plain = scheme === 'standard' ? null : readPlain(headers);
  const standard = scheme === 'plain' ? null : readStandard(headers);

  for (const signed of [standard, plain]) if (signed) await demandSignature(signed, keys, body);
  if (standard && plain && standard.timestamp !== plain.timestamp)
    refuse('header_mismatch', 'the two timestamps differ');
  for (const signed of [standard, plain]) if (signed) demandFresh(signed, request);

  const event = readEvent(body);
  if (standard && standard.id !== event.id) refuse('header_mismatch', 'webhook-id is not the id of the body');
  const name = find(headers, 'x-paymentservice-event');
  if (name !== null && name !== event.event)
    refuse('header_mismatch', 'X-PaymentService-Event is not the event of the body');
  // Any value but false counts as a test, because goods that are shipped by mistake are lost.
  return 'test' in event && event.test && !allowTest ? null : event;
}

/** The headers of one scheme. */
interface Signed {
  header: string;
  timestamp: string;
  /** What comes before the body in the signed bytes. */
  prefix: string;
  /** One of them must be valid; there are two while a secret is being changed. */
  signatures: string[];
  encode: (mac: Uint8Array) => string;
}

/** `webhook-id`, `webhook-timestamp`, `webhook-signature` (standardwebhooks.com). */
function readStandard(headers: WebhookHeaders): Signed & { id: string } {
  const id = demand(headers, 'webhook-id');
  const timestamp = demandTimestamp(headers, 'webhook-timestamp');
  const signatures = demand(headers, 'webhook-signature').split(' ');
  if (signatures.length > MAX_SIGNATURES) refuse('malformed_header', 'webhook-signature: too many entries');
  const encode = (mac: Uint8Array) => `v1,${btoa(String.fromCharCode(...mac))}`;
  return { header: 'webhook-signature', id, timestamp, prefix: `${id}.${timestamp}.`, signatures, encode };
}

/** `X-PaymentService-Timestamp` and `-Signature`; by the other of two secrets `-Signature-Previous`, for 24 h. */
function readPlain(headers: WebhookHeaders): Signed {
  const timestamp = demandTimestamp(headers, 'x-paymentservice-timestamp');
  const current = demand(headers, 'x-paymentservice-signature');
  const previous = find(headers, 'x-paymentservice-signature-previous');
  const signatures = previous === null ? [current] : [current, previous];
  const encode = (mac: Uint8Array) => Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { header: 'X-PaymentService-Signature', timestamp, prefix: `${timestamp}.`, signatures, encode };
}

async function demandSignature(signed: Signed, keys: Key[], body: Uint8Array): Promise<void> {
  const bytes = join(new TextEncoder().encode(signed.prefix), body);
  let isValid = false;
  for (const key of keys) {
    const expected = signed.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)));
    // Compared as text, because base64 has several spellings of the same bytes; and without an early exit.
    for (const given of signed.signatures) if (isSame(given, expected)) isValid = true;
  }
  if (!isValid) refuse('bad_signature', `${signed.header} does not hold`);
}

/** In constant time: it does not show where two texts differ. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function demandFresh({ timestamp }: Signed, { now = new Date(), toleranceSeconds }: WebhookRequest): void {
  const tolerance = toleranceSeconds ?? DEFAULT_TOLERANCE;
  if (!(tolerance >= 0)) throw new TypeError('toleranceSeconds: 0 or more');
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Number.isNaN(age)) throw new TypeError('now: not a date');
  if (age > tolerance) refuse('too_old', `signed ${age} s ago`);
  if (age < -tolerance) refuse('too_new', `signed ${-age} s in the future`);
}

/** Its own fields are checked; those of `payment` or `change` are trusted as the gateway sent them. */
function readEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    // A byte order mark is not JSON; TextDecoder would drop it.
    event = parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    refuse('malformed_body', 'the body is no JSON');
  }
  const { id, event: name, createdAt, payment, change } = (event ?? {}) as Record<string, unknown>;
  const { id: paymentId, status } = (payment ?? {}) as { id?: unknown; status?: unknown };
  const { state } = (change ?? {}) as { state?: unknown };
  const subject = name === 'wallet.changed' ? [state] : [paymentId, status];
  const texts = [id, name, createdAt, ...subject];
  if (texts.some((text) => typeof text !== 'string' || text === ''))
    refuse('malformed_body', 'the body is no event');
  return event as WebhookEvent;
}

function readBody(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not instanceof, because test runners and frames have their own Uint8Array.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('body: the raw body as a string or bytes, before any JSON parser has touched it');
}

/** What documents and unexpanded commands say: `<webhook secret>`, `$WEBHOOK_SECRET`. */
const PLACEHOLDER = /^(?:[\w-]*<[^<>]+>|\$[A-Z][A-Z0-9_]*|\$\{[A-Z][A-Z0-9_]*\})$/;

function readSecrets(secret: unknown): string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  const texts = secrets.filter((text) => typeof text === 'string' && text !== '') as string[];
  if (texts.length === 0 || texts.length < secrets.length)
    throw new TypeError('secret: the secret of the payment application, or a list of secrets');
  if (texts.some((text) => PLACEHOLDER.test(text)))
    throw new TypeError('secret: this is a placeholder; use the secret of the payment application');
  return texts;
}

/** `whsec_<base64>` is decoded; any other text is used as its UTF-8 bytes. */
function importKey(secret: string): Promise<Key> {
  const [, encoded] = ENCODED_SECRET.exec(secret) ?? [];
  const bytes =
    encoded === undefined
      ? new TextEncoder().encode(secret)
      : Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function demandTimestamp(headers: WebhookHeaders, name: string): string {
  const text = demand(headers, name);
  if (!TIMESTAMP.test(text)) refuse('malformed_header', `${name}: not Unix seconds`);
  return text;
}

function demand(headers: WebhookHeaders, name: string): string {
  return find(headers, name) ?? refuse('missing_header', `${name} is missing`);
}

/** @param name in lower case */
function find(headers: WebhookHeaders, name: string): string | null {
  if (isFetchHeaders(headers)) return headers.get(name);
  const found = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === name && value !== undefined,
  );
  const [value, another] = found.flatMap(([, text]) => text ?? []);
  if (another !== undefined) refuse('malformed_header', `${name} is repeated`);
  return value ?? null;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function refuse(reason: WebhookRefusal, message: string): never {
  throw new WebhookError(reason, message);
}
