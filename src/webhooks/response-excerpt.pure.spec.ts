import fc from 'fast-check';
import { toExcerpt } from './response-excerpt.pure.js';

describe('toExcerpt', () => {
  it.each([
    ['plain text', Buffer.from('{"ok":true}'), '{"ok":true}'],
    ['an empty body', Buffer.alloc(0), ''],
    ['multi-byte characters', Buffer.from('Größe 日本 🎉'), 'Größe 日本 🎉'],
    ['invalid UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['a lone surrogate encoded as UTF-8', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD\uFFFD\uFFFD'],
    ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['a long body', Buffer.alloc(10_000, 'x'), 'x'.repeat(4_096)],
    ['4 KiB exactly', Buffer.alloc(4_096, 'x'), 'x'.repeat(4_096)],
    ['a cut inside a character', Buffer.from(`${'x'.repeat(4_095)}é`), `${'x'.repeat(4_095)}`],
    ['replacement characters that lengthen the text', Buffer.alloc(4_096, 0xff), '\uFFFD'.repeat(1_365)],
  ])('%s', (_name, body, expected) => {
    expect(toExcerpt(body)).toBe(expected);
  });

  it('returns at most 4 KiB of storable text for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (body) => {
        const text = toExcerpt(body);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
        expect(text).not.toMatch(/\0|\p{Surrogate}/u);
      }),
    );
  });
});
