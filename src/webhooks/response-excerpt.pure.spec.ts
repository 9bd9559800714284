import fc from 'fast-check';
import { toExcerpt } from './response-excerpt.pure.js';

describe('toExcerpt', () => {
  it.each([
    ['plain text', Buffer.from('{"ok":true}'), '{"ok":true}'],
    ['nothing', Buffer.alloc(0), ''],
    ['several bytes a character', Buffer.from('Größe 日本 🎉'), 'Größe 日本 🎉'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['half a surrogate pair in UTF-8 clothes', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD\uFFFD\uFFFD'],
    ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['a long answer', Buffer.alloc(10_000, 'x'), 'x'.repeat(4_096)],
    ['4 KiB exactly', Buffer.alloc(4_096, 'x'), 'x'.repeat(4_096)],
    ['a cut inside a character', Buffer.from(`${'x'.repeat(4_095)}é`), `${'x'.repeat(4_095)}`],
    ['replacements that grow', Buffer.alloc(4_096, 0xff), '\uFFFD'.repeat(1_365)],
  ])('%s', (_name, body, expected) => {
    expect(toExcerpt(body)).toBe(expected);
  });

  it('always fits, and is always storable', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (body) => {
        const text = toExcerpt(body);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
        expect(text).not.toMatch(/\0|\p{Surrogate}/u);
      }),
    );
  });
});
