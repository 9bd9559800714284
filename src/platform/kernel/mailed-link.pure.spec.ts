import { repairLink } from './mailed-link.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const EXPIRES = '1773576000';
const SIGNATURE = '3d5f8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';
const TOKEN = '3Dk-_9x2m7Q1w8E5r4T6y0U2i8O1p3A7s5D9f1G3h5_';
const SIGNED = `expires=${EXPIRES}&signature=${SIGNATURE}`;

const LINKS = [
  ['checkout', `/checkout/${ID}?${SIGNED}`],
  ['a part of checkout', `/checkout/${ID}/part?${SIGNED}`],
  ['receipt', `/receipt/${ID}?${SIGNED}`],
  ['claim', `/refund/${ID}?${SIGNED}`],
  ['checkout of the API', `/api/checkout/payment/${ID}/provider/ethereum/method/eth?${SIGNED}`],
  ['claim of the API', `/api/checkout/refund/${ID}?${SIGNED}`],
  ['access link', `/api/oauth/access-link?token=${TOKEN}`],
] as const;

const queryOf = (change: (query: string) => string) => (link: string) => {
  const at = link.indexOf('?');
  return `${link.slice(0, at)}?${change(link.slice(at + 1))}`;
};
const encode = (text: string) => encodeURIComponent(text);
/** Breaks after so many characters of the query. */
const broken = (at: number, mark: string) => queryOf((query) => query.slice(0, at) + mark + query.slice(at));
/** As in a message in quoted-printable whose lines were joined, or not. */
const quotedPrintable = (mark: string) =>
  queryOf((query) => query.replaceAll('=', '=3D').replace(/^(.{20})/, `$1=${mark}`));

const MANGLED: readonly [what: string, change: (link: string) => string][] = [
  ['HTML references', queryOf((query) => query.replaceAll('&', '&amp;'))],
  ['HTML references twice', queryOf((query) => query.replaceAll('&', '&amp;amp;'))],
  ['encoded HTML references', queryOf((query) => query.replaceAll('&', '%26amp%3B'))],
  ['numbered HTML references', queryOf((query) => query.replaceAll('&', '%26%23038%3B'))],
  ...[
    '.',
    ',',
    ')',
    '>',
    '"',
    "'",
    ';',
    ']',
    '}',
    '!',
    ':',
    '?',
    '*',
    '|',
    ').',
    '",',
    '&gt;',
    '&quot;',
  ].flatMap((mark): [string, (link: string) => string][] => [
    // Unencoded, a reference is a parameter of its own, and changes nothing.
    [`${mark} behind it`, (link) => (mark.startsWith('&') ? link : link + mark)],
    [`${mark} behind it, encoded`, (link) => link + encode(mark)],
  ]),
  ['a closing quotation mark of German', (link) => `${link}%E2%80%9C`],
  ['an ellipsis', (link) => `${link}%E2%80%A6`],
  ['the end of an HTML tag', (link) => `${link}%22%3EPay%20now%3C/a%3E`],
  ['a byte of another encoding', (link) => `${link}%BB`],
  ['= encoded', queryOf((query) => query.replaceAll('=', '%3D'))],
  ['= encoded in small letters', queryOf((query) => query.replaceAll('=', '%3d'))],
  ['the query encoded', queryOf(encode)],
  ['the query encoded twice', queryOf((query) => encode(encode(query)))],
  ['? and query encoded', (link) => link.replace(/\?.*/, encode)],
  ['? and query encoded twice', (link) => link.replace(/\?.*/, (query) => encode(encode(query)))],
  ['quoted-printable', quotedPrintable('%0D%0A')],
  ['quoted-printable with a line feed', quotedPrintable('%0A')],
  ['quoted-printable with its line breaks dropped', quotedPrintable('')],
  ['encoded quoted-printable', queryOf((query) => query.replaceAll('=', '%3D3D'))],
  ['a line break', broken(20, '%0D%0A')],
  ['a line feed', broken(11, '%0A')],
  ['a line break before the value', broken(8, '%0A')],
  ['a blank', broken(30, '%20')],
  ['an indented line', broken(14, '%0A%20%20%20%20')],
  ['a blank at the end', (link) => `${link}%20`],
  ['a space that breaks no line', broken(9, '%C2%A0')],
  ['a place to break', broken(40, '%E2%80%8B')],
  ['a soft hyphen', broken(15, '%C2%AD')],
  ['a blank in the path', (link) => link.replace(/(.)\?/, '%20$1?')],
];

describe.each(LINKS)('a link of %s', (_kind, link) => {
  const others = MANGLED.filter(([what, change]) => change(link) !== link && what !== '');

  it.each(others)('is read with %s', (_what, change) => {
    expect(repairLink(change(link))).toBe(link);
  });

  it('is left alone as it is, also with other parameters', () => {
    expect(repairLink(link)).toBeNull();
    expect(repairLink(`${link}&utm_source=mail&lang=de`)).toBeNull();
  });

  it('keeps other parameters, also behind one of its own', () => {
    expect(repairLink(`${link}.&lang=pt-BR&utm=a%20b`)).toBe(`${link}&lang=pt-BR&utm=ab`);
  });

  it.each<[string, (link: string) => string]>([
    ['it was cut off', (text) => text.slice(0, -1)],
    ['a character follows that could belong to it', (text) => `${text}0`],
    ['a word follows', (text) => `${text}and`],
    ['an underline follows, as of a mark of emphasis', (text) => `${text}_`],
    ['a parameter is there twice', (text) => `${text}&${text.slice(text.indexOf('?') + 1)}`],
    ['the same twice, once encoded', (text) => `${text}.&x=1%26${encode(text.slice(text.indexOf('?') + 1))}`],
    ['the query is missing', (text) => text.slice(0, text.indexOf('?'))],
    ['names are in capitals', queryOf((query) => query.toUpperCase())],
    ['names have brackets', queryOf((query) => query.replace('=', '[]='))],
    ['it leads elsewhere', (text) => `/elsewhere${text}.`],
    ['it leads to another host', (text) => `/${text}.`],
    ['its path has more', (text) => text.replace('?', '/../../x?') + '.'],
  ])('is not guessed where %s', (_what, change) => {
    expect(repairLink(change(link))).toBeNull();
  });
});

describe('a signed link that was decoded as quoted-printable', () => {
  const [, link] = LINKS[0];

  it('gets back the end, and the signature where it began with a character', () => {
    expect(repairLink(link.replace('=17', '%17'))).toBe(link);
    // An = that was made of =3d cannot be told from a signature that was cut off.
    expect(repairLink(link.replace('=17', '%17').replace('=3d', encode('=')))).toBeNull();
    const letter = link.replace('=3d', '=5f');
    expect(repairLink(letter.replace('=17', '%17').replace('=5f', '_'))).toBe(letter);
  });

  it('is not guessed where bytes were lost', () => {
    expect(repairLink(link.replace('=17', '%17').replace('=3d', '%EF%BF%BD'))).toBeNull();
  });
});

it('takes no longer for a long text than for its length', () => {
  const long = `/checkout/${ID}?expires=${'%25'.repeat(2_500)}&signature=${SIGNATURE}`;
  expect(repairLink(long)).toBeNull();
});
