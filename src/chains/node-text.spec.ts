import { readText } from './node-text.js';

/** Parts as bytes, or as text that is sent in UTF-8. */
async function* bodyOf(parts: readonly (string | number[])[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part);
}

describe('readText', () => {
  it.each<[what: string, parts: (string | number[])[], text: string]>([
    ['an empty body', [], ''],
    ['ASCII in one chunk', ['{"result":"0x1"}'], '{"result":"0x1"}'],
    ['ASCII in several chunks', ['{"result"', ':"0x1"}'], '{"result":"0x1"}'],
    ['an empty chunk', ['{', '', '}'], '{}'],
    ['non-ASCII characters after ASCII', ['{"a":"', 'é"', '}'], '{"a":"é"}'],
    ['a character split across two chunks', ['{"a":"', [0xc3], [0xa9], '"}'], '{"a":"é"}'],
    ['a four-byte character split across four chunks', ['"', [0xf0], [0x9f], [0x98], [0x80], '"'], '"😀"'],
    ['a byte order mark at the start and drops it', ['\uFEFF{"a":"é"}'], '{"a":"é"}'],
    ['a split byte order mark and drops it', [[0xef, 0xbb], [0xbf], '{}'], '{}'],
    ['U+FEFF further on and keeps it', ['{"a":"', '\uFEFF"}'], '{"a":"\uFEFF"}'],
    ['invalid UTF-8 as U+FFFD', ['"', [0xff], '"'], '"\uFFFD"'],
    ['a truncated character as U+FFFD', ['"', [0xc3]], '"\uFFFD'],
  ])('reads %s', async (_what, parts, text) => {
    expect(await readText(bodyOf(parts))).toBe(text);
  });

  it('reads the same text wherever the chunks are split', async () => {
    const bytes = [...Buffer.from('{"a":"zwölf — 😀","b":"plain"}', 'utf8')];
    for (let at = 0; at <= bytes.length; at++)
      expect(await readText(bodyOf([bytes.slice(0, at), bytes.slice(at)]))).toBe(
        '{"a":"zwölf — 😀","b":"plain"}',
      );
  });
});
