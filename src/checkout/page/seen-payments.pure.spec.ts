import { createSecretKey } from 'node:crypto';
import { checkoutKeyOf } from '../../payments/checkout-url.pure.js';
import { receiptKeyOf } from '../../payments/receipt-url.pure.js';
import { hmacSha256 } from '../../platform/kernel/hmac.pure.js';
import {
  addSeen,
  MOST_SEEN,
  readSeen,
  type SeenPayment,
  seenKeyOf,
  writeSeen,
} from './seen-payments.pure.js';

const SECRET = 'test-checkout-signing-key-0001';
const KEY = seenKeyOf(SECRET);
const NOW = 1_773_576_000;
const seen = (n: number, until = NOW + 60): SeenPayment => ({
  id: `550e8400-e29b-41d4-a716-${String(n).padStart(12, '0')}`,
  until,
});
const read = (text: unknown, keys = [KEY]) => readSeen(keys, text, NOW);
const TWO = [seen(1), seen(2)];
const TEXT = writeSeen(KEY, TWO);

describe('the payments that a browser has seen', () => {
  it('come back as they were written, in a form for cookies and addresses', () => {
    expect(read(TEXT)).toEqual(TWO);
    expect(TEXT).toMatch(/^[\w.-]+$/);
    expect(encodeURIComponent(TEXT)).toBe(TEXT);
  });

  it('end one by one', () => {
    const some = [seen(1, NOW - 1), seen(2, NOW), seen(3, NOW + 366 * 86_400)];
    expect(read(writeSeen(KEY, some))).toEqual(some.slice(1));
  });

  it('are at most so many, and so long', () => {
    const many = Array.from({ length: MOST_SEEN + 5 }, (_, n) => seen(n));
    const text = writeSeen(KEY, many);
    expect(read(text)).toEqual(many.slice(0, MOST_SEEN));
    expect(text.length).toBeLessThan(700);
    const all = addSeen(many, seen(99));
    expect([all.length, all[0]]).toEqual([MOST_SEEN, seen(99)]);
  });

  it('are there once each, the latest first', () => {
    expect(addSeen(TWO, seen(2, NOW + 90))).toEqual([seen(2, NOW + 90), seen(1)]);
  });

  it('are verified by every key, as after a rotation', () => {
    const newer = seenKeyOf('test-checkout-signing-key-0002');
    expect(read(TEXT, [newer, KEY])).toEqual(TWO);
    expect(read(TEXT, [newer])).toEqual([]);
  });

  const [list = ''] = /^.*\./.exec(TEXT) ?? [];
  const signed = (text: string, key = KEY, prefix = 'seen|') =>
    text + hmacSha256(key, prefix + text).toString('base64url');
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['several', [TEXT, TEXT]],
    ['no list', signed('')],
    ['another signature', list + 'A'.repeat(43)],
    ['a signature that is cut off', TEXT.slice(0, -1)],
    ['a signature with more behind it', `${TEXT}A`],
    ['one payment less', TEXT.slice(list.indexOf('.') + 1)],
    ['one payment twice', list.slice(0, list.indexOf('.') + 1) + TEXT],
    ['a later end', TEXT.replace(/(.)\./, (_, last: string) => `${last === 'z' ? 'y' : 'z'}.`)],
    ['the signature of a checkout link', signed(list, checkoutKeyOf(SECRET))],
    ['the signature of a receipt', signed(list, receiptKeyOf(SECRET))],
    ['the signature of something else', signed(list, KEY, '')],
    ['a key of nobody', signed(list, createSecretKey(Buffer.alloc(32)))],
    ['too many', signed(list.repeat(MOST_SEEN))],
  ])('are none with %s', (_what, text) => expect(read(text)).toEqual([]));
});
