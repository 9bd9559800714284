import { cutStrings, StringCutter } from './cut-strings.js';

const LONG = 'ab'.repeat(50);

/** The text as it is after it came in parts of some length. */
function cut(text: string, chunk: number, longest = 10): string {
  const cutter = new StringCutter(longest);
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) parts.push(cutter.cut(bytes.subarray(at, at + chunk)));
  return Buffer.concat(parts).toString();
}

describe('a JSON text whose strings are cut', () => {
  it.each<[string, unknown, unknown]>([
    [
      'keeps what is short',
      { a: '0x1234', b: [1, true, null], c: '' },
      { a: '0x1234', b: [1, true, null], c: '' },
    ],
    ['loses the rest of what is long', { input: LONG, to: '0x1' }, { input: 'ababababab', to: '0x1' }],
    [
      'loses a string from its first escape on',
      { e: 'a"b', f: 'x\\', g: '\u0001' },
      { e: 'a', f: 'x', g: '' },
    ],
    ['keeps braces, brackets and quotes apart', { s: '}{][",:' }, { s: '}{][' }],
    ['cuts each string by itself', [LONG, LONG, 'end'], ['ababababab', 'ababababab', 'end']],
  ])('%s, in parts of any length', (_what, value, expected) => {
    const text = JSON.stringify(value);
    for (let chunk = 1; chunk <= text.length; chunk++) expect(JSON.parse(cut(text, chunk))).toEqual(expected);
  });

  it('stays JSON where a character of several bytes is cut', () => {
    for (let longest = 1; longest < 12; longest++)
      expect(
        () => JSON.parse(cut(JSON.stringify({ error: 'é€😀é€😀', a: 1 }), 3, longest)) as unknown,
      ).not.toThrow();
  });

  it('is refused once too much of it is left', async () => {
    const body = (async function* () {
      for (let i = 0; i < 100; i++) yield Buffer.from(`"${LONG}",`);
    })();
    const read = async (maxKeptBytes: number) => {
      let bytes = 0;
      for await (const part of cutStrings(body, { longestString: 10, maxKeptBytes })) bytes += part.length;
      return bytes;
    };
    await expect(read(500)).rejects.toMatchObject({ code: 'RESPONSE_TOO_LONG' });
  });
});
