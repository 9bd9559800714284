import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of UTF-8 text or bytes. With a key of bytes Node 24 takes 12 us instead of 2. */
export function hmacSha256(key: KeyObject, message: string | Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}

/** SHA-256 of UTF-8 text or bytes. */
export function sha256(message: string | Uint8Array): Buffer {
  return createHash('sha256').update(message).digest();
}

/** Compares in constant time; unequal lengths are unequal (timingSafeEqual alone would throw). */
export function constantTimeEquals(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
