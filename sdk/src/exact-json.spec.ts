import fc from 'fast-check';
import { parseExact, stringifyExact } from './exact-json.js';

describe('parseExact', () => {
  it.each<[string, unknown]>([
    ['{"a":[1,2.5,true,false,null,"x"]}', { a: [1, 2.5, true, false, null, 'x'] }],
    [' [ ] ', []],
    ['{ }', {}],
    ['"\\u00e9\\n"', 'é\n'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['-0', 0],
    ['1e3', 1000],
    ['1.5', 1.5],
    [
      '{"amount":1500000000000000001,"atomic":"1500000000000000001"}',
      { amount: 1500000000000000001n, atomic: '1500000000000000001' },
    ],
  ])('reads %s', (text, value) => expect(parseExact(text)).toEqual(value));

  it('reads the amount of an amount object as a bigint, however small', () => {
    const object = parseExact('{"amount":{"value":25,"amount":2500,"atomic":"2500","decimals":2}}');
    expect(object).toEqual({ amount: { value: 25, amount: 2500n, atomic: '2500', decimals: 2 } });
    // Without the twin it is some other integer.
    expect(parseExact('{"amount":2500}')).toEqual({ amount: 2500 });
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    "'x'",
    '"x',
    '"\n"',
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    'tru',
    '[1] 2',
    '\ufeff1',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
    `${'['.repeat(65)}${']'.repeat(65)}`,
  ])('rejects %j', (text) => expect(() => parseExact(text)).toThrow(SyntaxError));
});

describe('stringifyExact', () => {
  it.each<[unknown, string]>([
    [{ amount: 1500000000000000001n }, '{"amount":1500000000000000001}'],
    [{ a: undefined, b: null, c: () => 1 }, '{"b":null}'],
    [[undefined, 1, 'é"\u2028'], JSON.stringify([undefined, 1, 'é"\u2028'])],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ 'a"b': [{}] }, '{"a\\"b":[{}]}'],
    [undefined, 'null'],
    [-2.5, '-2.5'],
  ])('prints %p', (value, text) => expect(stringifyExact(value)).toBe(text));

  it.each([2 ** 53, 1.5e18, Number.NaN, Number.POSITIVE_INFINITY])(
    'rejects %p, whose JSON would lose information',
    (amount) => {
      expect(() => stringifyExact({ order: [{ amount }] })).toThrow(/^value\.order\.0\.amount is not exact/);
    },
  );

  it('rejects a circular structure', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => stringifyExact(circle)).toThrow(/nested too deeply/);
  });

  it('writes JSON that parseExact reads back unchanged', () => {
    const value = { a: [2n ** 256n, -1, 'x', { amount: 7n, atomic: '7' }] };
    expect(parseExact(stringifyExact(value))).toEqual(value);
  });
});

describe('for any value', () => {
  const isExact = (number: number) => !Number.isInteger(number) || Number.isSafeInteger(number);
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact),
  );
  const key = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__');
  const { plain, exact } = fc.letrec((tie) => {
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null), number);
    // Smaller ones are read as numbers.
    const big = fc
      .bigInt({ min: 2n ** 53n, max: 2n ** 256n })
      .chain((value) => fc.constantFrom(value, -value));
    const nested = (value: fc.Arbitrary<unknown>) => [fc.array(value), fc.dictionary(key, value)];
    return {
      plain: fc.oneof({ maxDepth: 4 }, leaf, ...nested(tie('plain'))),
      exact: fc.oneof({ maxDepth: 4 }, leaf, big, ...nested(tie('exact'))),
    };
  });
  const same = (one: unknown, other: unknown) => expect(one).toEqual(other);

  it('prints the same as JSON.stringify', () =>
    fc.assert(fc.property(plain, (value) => same(stringifyExact(value), JSON.stringify(value)))));

  it('reads its own output back unchanged', () =>
    fc.assert(
      fc.property(exact, (value) => {
        // Negative zero is printed as zero; dictionaries have no prototype.
        const text = stringifyExact(value);
        same(stringifyExact(parseExact(text)), text);
      }),
    ));

  it('reads the same as JSON.parse', () =>
    fc.assert(
      fc.property(plain, (value) =>
        same(parseExact(JSON.stringify(value)), JSON.parse(JSON.stringify(value))),
      ),
    ));
});
