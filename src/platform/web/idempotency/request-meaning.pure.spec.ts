import { sha256 } from '../../kernel/hmac.pure.js';
import { parseExact } from '../../kernel/exact-json.pure.js';
import { meaningOf } from './request-meaning.pure.js';

const of = (text: string, given: object | null = null) => meaningOf(parseExact(text), given && { given });

const BODY = '{"amount":2500,"reference":"Ä-1","metadata":{"a":"1","b":"2"}}';

describe('meaningOf', () => {
  it.each<[string, string]>([
    ['another order', '{"metadata":{"b":"2","a":"1"},"reference":"Ä-1","amount":2500}'],
    ['white space', ' {\n "amount" : 2500 ,\r\n\t"reference":"Ä-1","metadata":{ "a":"1","b":"2"} } '],
    ['escapes', '{"\\u0061mount":2500,"reference":"\\u00C4-\\u0031","metadata":{"a":"1","b":"2"}}'],
    ['null for what is absent', `${BODY.slice(0, -1)},"redirectUrl":null,"metadata2":null}`],
    ['a fraction of nothing', BODY.replace('2500', '2500.00')],
    ['a power of ten', BODY.replace('2500', '2.5e+3')],
    ['a negative power of ten', BODY.replace('2500', '250000E-2')],
  ])('is the same with %s', (_what, text) => {
    expect(of(text)).toBe(of(BODY));
  });

  it.each<[string, string]>([
    ['another number', BODY.replace('2500', '2501')],
    ['a tenfold number', BODY.replace('2500', '25000')],
    ['the negative number', BODY.replace('2500', '-2500')],
    ['a fraction', BODY.replace('2500', '2500.5')],
    ['a text of digits', BODY.replace('2500', '"2500"')],
    ['a text in another case', BODY.replace('Ä', 'ä')],
    ['a letter in two code points', BODY.replace('Ä', 'A\u0308')],
    ['a space in a text', BODY.replace('Ä-1', 'Ä- 1')],
    ['a field less', '{"amount":2500,"reference":"Ä-1"}'],
    ['an unknown field', `${BODY.slice(0, -1)},"amout":1}`],
    ['false instead of nothing', `${BODY.slice(0, -1)},"x":false}`],
    ['an empty text instead of nothing', `${BODY.slice(0, -1)},"x":""}`],
    ['an empty list instead of nothing', `${BODY.slice(0, -1)},"x":[]}`],
    ['a field of another depth', '{"amount":2500,"reference":"Ä-1","a":"1","metadata":{"b":"2"}}'],
  ])('differs with %s', (_what, text) => {
    expect(of(text)).not.toBe(of(BODY));
  });

  it('keeps the order of lists, and nulls in them', () => {
    expect(of('{"a":["x","y"]}')).not.toBe(of('{"a":["y","x"]}'));
    expect(of('{"a":[null]}')).not.toBe(of('{"a":[]}'));
  });

  it('cannot be forged by a text: lists, instants and numbers', () => {
    const at = new Date(1_000);
    expect(of('{"a":"@1000"}')).not.toBe(of('{"a":"x"}', { a: at }));
    expect(of('{"a":["x,y"]}')).not.toBe(of('{"a":["x","y"]}'));
    expect(of('{"a":"x\\":1,\\"b"}')).not.toBe(of('{"a":"x","b":1}'));
    expect(of('{"a":"25e2"}')).not.toBe(of('{"a":2500}'));
  });

  it('says what was read: two forms of an instant, of an id, of an amount', () => {
    const at = new Date('2027-01-31T11:00:00Z');
    expect(of('{"at":"2027-01-31T12:00:00+01:00"}', { at })).toBe(
      of('{"at":"2027-01-31T11:00:00Z"}', { at }),
    );
    expect(of('{"id":"AB"}', { id: 'ab' })).toBe(of('{"id":"ab"}', { id: 'ab' }));
    expect(of('{"n":"1"}', { n: 1n })).toBe(of('{"n":1}', { n: 1n }));
  });

  it('says what was sent where nothing could be read', () => {
    expect(of('{"at":"never"}', {})).not.toBe(of('{"at":"ever"}', {}));
    expect(of('{}', { at: undefined, other: 1 })).toBe('{}');
  });

  it('takes no body for an empty one, and a body that is no object as it is', () => {
    expect(meaningOf(undefined, null)).toBe(of('{}'));
    expect(of('{"a":null}')).toBe(of('{}'));
    expect(new Set(['[]', 'null', '"{}"', '1', '1.5', '{}'].map((text) => of(text))).size).toBe(6);
  });

  it('is digested alike by every release and every Node', () => {
    const given = { amount: 2_500n, expiresAt: new Date('2027-01-31T11:00:00.250Z') };
    const text =
      '{"reference":"\\ud83d\\ude00 \\u2028","expiresAt":"x","amount":2500,"list":[true,1.50,{"z":1,"a":null}]}';
    expect(of(text, given)).toBe(
      '{"amount":25e2,"expiresAt":@1801393200250,"list":[true,15e-1,{"z":1e0}],"reference":"😀 \u2028"}',
    );
    expect(sha256(of(text, given)).toString('hex')).toBe(
      '58ed40858ad8841d059ed0c590d2a82b1ec1a61ecc98ec85c754f24db4257788',
    );
  });
});
