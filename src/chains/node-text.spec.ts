import { readText } from './node-text.js';

/** Parts as bytes, or as text that is sent in UTF-8. */
async function* bodyOf(parts: readonly (string | number[])[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part);
}

describe('readText', () => {
  it.each<[what: string, parts: (string | number[])[], text: string]>([
    ['nothing', [], ''],
    ['ASCII in one part', ['{"result":"0x1"}'], '{"result":"0x1"}'],
    ['ASCII in parts', ['{"result"', ':"0x1"}'], '{"result":"0x1"}'],
    ['an empty part', ['{', '', '}'], '{}'],
    ['other letters behind ASCII', ['{"a":"', 'é"', '}'], '{"a":"é"}'],
    ['a letter cut in two', ['{"a":"', [0xc3], [0xa9], '"}'], '{"a":"é"}'],
    ['a letter of four bytes cut in four', ['"', [0xf0], [0x9f], [0x98], [0x80], '"'], '"😀"'],
    ['a byte order mark, dropped', ['\uFEFF{"a":"é"}'], '{"a":"é"}'],
    ['a byte order mark cut in two, dropped', [[0xef, 0xbb], [0xbf], '{}'], '{}'],
    ['U+FEFF later on, kept', ['{"a":"', '\uFEFF"}'], '{"a":"\uFEFF"}'],
    ['bytes that are no UTF-8', ['"', [0xff], '"'], '"\uFFFD"'],
    ['a letter that ends too early', ['"', [0xc3]], '"\uFFFD'],
  ])('reads %s', async (_what, parts, text) => {
    expect(await readText(bodyOf(parts))).toBe(text);
  });

  it('reads a letter wherever the parts are cut', async () => {
    const bytes = [...Buffer.from('{"a":"zwölf — 😀","b":"plain"}', 'utf8')];
    for (let at = 0; at <= bytes.length; at++)
      expect(await readText(bodyOf([bytes.slice(0, at), bytes.slice(at)]))).toBe(
        '{"a":"zwölf — 😀","b":"plain"}',
      );
  });
});
