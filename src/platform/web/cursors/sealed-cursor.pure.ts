import { createCipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { encodeFields } from '../../kernel/encode-fields.pure.js';
import { constantTimeEquals, hmacSha256 } from '../../kernel/hmac.pure.js';

/** What encrypts cursors. */
export interface CursorKey {
  tag: KeyObject;
  text: KeyObject;
}

export const CURSOR_KEY_BYTES = 32;

/** Of the tag, which is the nonce as well. */
const TAG_BYTES = 16;
/** Texts are filled up to a multiple of it, so that a cursor does not show how many digits its position has. */
const BLOCK_BYTES = 24;

/** @param bytes {@link CURSOR_KEY_BYTES} random ones */
export function cursorKeyOf(bytes: Buffer): CursorKey {
  if (bytes.length !== CURSOR_KEY_BYTES) throw new Error('a key of cursors has 32 bytes');
  const part = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', `cursor-${use}`, 32)));
  return { tag: part('tag'), text: part('text') };
}

/**
 * A position as its owner sees it: encrypted, and bound to the owner. The nonce is an HMAC of what is encrypted (the
 * construction of RFC 5297, with HMAC-SHA256 and AES-256-CTR), so that the same position has the same cursor: an answer
 * that says nothing new is the same answer (docs/decisions/0874-cursors-tell-nothing.md).
 * @param text ASCII without spaces
 */
export function sealCursor(key: CursorKey, owner: string, text: string): string {
  const filled = text.padEnd(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES);
  const tag = tagOf(key, owner, filled);
  return Buffer.concat([tag, crypt(key, tag, Buffer.from(filled, 'latin1'))]).toString('base64url');
}

/** The text of a cursor; null if {@link sealCursor} did not make it with this key for this owner. */
export function openCursor(key: CursorKey, owner: string, cursor: string): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // Base64 has several encodings of the same bytes; only the canonical one is accepted.
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
  const tag = bytes.subarray(0, TAG_BYTES);
  const filled = crypt(key, tag, bytes.subarray(TAG_BYTES)).toString('latin1');
  return constantTimeEquals(tagOf(key, owner, filled), tag) ? filled.trimEnd() : null;
}

function tagOf(key: CursorKey, owner: string, filled: string): Buffer {
  return hmacSha256(key.tag, encodeFields([owner, filled])).subarray(0, TAG_BYTES);
}

/** Encrypts, and decrypts as well: it is the counter mode. */
function crypt(key: CursorKey, nonce: Buffer, text: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-ctr', key.text, nonce);
  return Buffer.concat([cipher.update(text), cipher.final()]);
}
