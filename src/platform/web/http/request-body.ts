import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { BadRequestError, GatewayError, ValidationError } from '../../kernel/errors/errors.pure.js';
import { JsonError, parseExact } from '../../kernel/exact-json.pure.js';
import { describeJsonMistake } from '../../kernel/errors/json-mistake.pure.js';
import { isCleanText } from '../contract/text-forms.pure.js';

/** See specification/conventions.md#sizes. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Names and values, nested ones included: no request needs a tenth of them, and each costs as much time as 100 bytes. */
export const MAX_BODY_VALUES = 2_000;
/** A logo of 64 KiB in base64. */
export const MAX_LOGO_BODY_BYTES = 96 * 1024;

/** The one route whose body may have {@link MAX_LOGO_BODY_BYTES}. */
export function isLogo({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && /^\/api\/payment-applications\/[\w-]+\/logo\/?(\?|$)/.test(url);
}

/** Refuses ill-formed UTF-8, and drops a byte order mark at the start (RFC 8259, section 8.1 allows to ignore it). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `application/json` or `application/*+json`, in UTF-8: JSON between systems has no other encoding. */
export function isJsonType(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset\s*=\s*"?utf-?8"?$/.test(parameter),
  );
  return isUtf8 && /^application\/([\w.!#$&^-]+\+)?json$/.test(type);
}

/** The encoding of HTML forms (WHATWG URL, section 5). The API under /api/ accepts JSON only. */
function isPageForm({ path, headers }: Request): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return !path.startsWith('/api/') && type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** 415 before the body is read. Bodies that a mounted server has already read are left alone. */
export function requireJson(request: Request, _response: Response, next: NextFunction): void {
  if (request.body !== undefined || !hasBody(request)) return next();
  const isReadable = isJsonType(request.headers['content-type']) || isPageForm(request);
  const hint = describeEncoding(request.headers['content-encoding']);
  if (!isReadable || hint !== null)
    throw new GatewayError(
      'unsupported_media_type',
      'The request body must be application/json in UTF-8, not compressed.',
      { hint: hint ?? describeType(request.headers['content-type']) },
    );
  next();
}

function describeEncoding(encoding: string | undefined): string | null {
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : 'The body was sent compressed (Content-Encoding); send it as it is.';
}

/** What was sent, as far as it may be repeated, and what is accepted. */
function describeType(contentType: string | undefined): string {
  const needed = 'send Content-Type: application/json and the fields as a JSON object.';
  if (contentType === undefined) return `The request has a body and no Content-Type; ${needed}`;
  const [type = ''] = contentType.split(';');
  const name = type.trim().toLowerCase();
  if (/^application\/([\w.!#$&^-]+\+)?json$/.test(name))
    return 'JSON is read in UTF-8 only; send Content-Type: application/json and the body in UTF-8.';
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(name)
    ? `The body was sent as ${name}; ${needed}`
    : `The Content-Type is not a media type; ${needed}`;
}

/** Parses bytes without loss. @throws BadRequestError malformed_json */
export function readJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new BadRequestError(
      'malformed_json',
      'The request body is not valid UTF-8.',
      'The body is in another encoding, such as Latin-1 or UTF-16; encode it in UTF-8.',
    );
  }
  try {
    return parseExact(text, MAX_BODY_VALUES);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new BadRequestError(
      'malformed_json',
      `The request body is not valid JSON: ${error.message}.`,
      describeJsonMistake(text, error.position),
    );
  }
}

/** The fields of a form; one that is sent twice becomes a list. */
export function readForm(bytes: Buffer): Record<string, string | string[]> {
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const [first = '', ...more] = fields.getAll(name);
      return [name, more.length > 0 ? [first, ...more] : first];
    }),
  );
}

/** The path of the first unclean text, e.g. `currencyWhitelist.0`, or null. */
function uncleanField(value: unknown, path: string[]): string | null {
  if (typeof value === 'string') return isCleanText(value) ? null : path.join('.') || 'body';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const field = isCleanText(key) ? uncleanField(item, [...path, key]) : path.join('.') || 'body';
    if (field !== null) return field;
  }
  return null;
}

/**
 * Refuses text that Postgres cannot store (NUL, SQLSTATE 22021 and 22P05) or that would be changed (half a surrogate
 * pair becomes U+FFFD), at any depth and also in unknown fields.
 * @throws ValidationError naming the field
 */
export function requireCleanText(input: unknown): void {
  const field = uncleanField(input, []);
  if (field !== null)
    throw ValidationError.of(field, `The ${field} field must not contain invalid characters.`);
}

/** Turns the bytes that the raw parser read into `request.body`. */
export function parseBody(request: Request, _response: Response, next: NextFunction): void {
  if (Buffer.isBuffer(request.body)) {
    const read = isPageForm(request) ? readForm : readJson;
    const body = request.body.length === 0 ? undefined : read(request.body);
    requireCleanText(body);
    request.body = body;
  }
  next();
}
