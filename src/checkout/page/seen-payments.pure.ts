import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { constantTimeEquals, hmacSha256 } from '../../platform/kernel/hmac.pure.js';

/*
 * What a browser has that saw a payment while its link was valid: a signed list, as a cookie, or in the page's own requests
 * where it keeps no cookies (specification/checkout.md#after-the-end-of-the-link). It opens nothing without the link.
 */

export interface SeenPayment {
  /** A UUID in its usual form. */
  id: string;
  /** Seconds of Unix time up to which it may be looked at. */
  until: number;
}

/** The cookie goes along with each request: 20 payments are 0.6 kB. */
export const MOST_SEEN = 20;

const PREFIX = 'seen|';
/** 16 bytes in base64url, and seconds in base 36. */
const ENTRY = /^([\w-]{22})([0-9a-z]{6,7})$/;
const FORM = new RegExp(`^(?:[\\w-]{28,29}\\.){1,${MOST_SEEN}}[\\w-]{43}$`);

/** Derives the key from a checkout signing key, as that of receipts: no signature of the one is one of the other. */
export function seenKeyOf(checkoutSigningKey: string): KeyObject {
  const bytes = hkdfSync('sha256', checkoutSigningKey, '', 'crypto-payment-gateway|seen', 32);
  return createSecretKey(Buffer.from(bytes));
}

export function writeSeen(key: KeyObject, payments: readonly SeenPayment[]): string {
  const entries = payments.slice(0, MOST_SEEN).map(({ id, until }) => `${shorten(id)}${until.toString(36)}.`);
  return entries.join('') + macOf(key, entries.join(''));
}

/**
 * The payments of a list that may still be looked at; none if it is not one of ours, or was changed.
 * @param keys newest first; every key verifies
 */
export function readSeen(keys: readonly KeyObject[], text: unknown, now: number): SeenPayment[] {
  if (typeof text !== 'string' || !FORM.test(text)) return [];
  const end = text.lastIndexOf('.') + 1;
  const [list, mac] = [text.slice(0, end), Buffer.from(text.slice(end))];
  // Every key is tried, so that timing does not reveal which one signed.
  const isSigned = keys.map((key) => constantTimeEquals(mac, Buffer.from(macOf(key, list)))).includes(true);
  if (!isSigned) return [];
  return list
    .split('.')
    .flatMap((entry) => {
      const [, id, until] = ENTRY.exec(entry) ?? [];
      return id && until ? [{ id: lengthen(id), until: Number.parseInt(until, 36) }] : [];
    })
    .filter(({ until }) => now <= until);
}

/** The list with a payment more, which comes first; those seen longest ago make room. */
export function addSeen(seen: readonly SeenPayment[], added: SeenPayment): SeenPayment[] {
  return [added, ...seen.filter(({ id }) => id !== added.id)].slice(0, MOST_SEEN);
}

function macOf(key: KeyObject, list: string): string {
  return hmacSha256(key, PREFIX + list).toString('base64url');
}

function shorten(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function lengthen(id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
