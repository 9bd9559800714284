import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../platform/kernel/hmac.pure.js';

/*
 * A client token is `pct_`, 34 random base62 characters (202 bits) and 6 base62 characters of CRC-32 over
 * everything before them. Secret scanners recognize its form, and a mistyped token is not looked up in the database.
 */

/** "Payment client token". */
export const CLIENT_TOKEN_PREFIX = 'pct_';
const RANDOM_LENGTH = 34;
const CHECKSUM_LENGTH = 6;
/** The form of a complete token. */
export const CLIENT_TOKEN_LENGTH = CLIENT_TOKEN_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
/** Shown in lists so that people can tell tokens apart (specification/authentication.md#client-tokens). */
export const SHOWN_LENGTH = 8;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 4 × 62: bytes from here on are drawn again, so that all characters are equally likely. */
const FAIR_BYTES = 248;

const FORM = /^pct_[0-9A-Za-z]{40}$/;

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < FAIR_BYTES) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/** 62^6 exceeds 2^32, so that every checksum fits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new token; it is shown once and only its hash is kept. */
export function newClientToken(): string {
  const body = CLIENT_TOKEN_PREFIX + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/** Whether the text can be a client token at all: its form, and its checksum. */
export function isClientToken(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored hash. With 202 random bits, a slow hash would add nothing. */
export function hashClientToken(token: string): Buffer {
  return sha256(token);
}

/** The beginning of the token, for display. */
export function shownPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}
