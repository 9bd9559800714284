import fc from 'fast-check';
import { timesAsSlow } from '../../../test/support/times-as-slow.js';
import { JsonError, JsonFloat, parseExact, stringifyExact } from './exact-json.pure.js';

const UINT256_MAX = 2n ** 256n - 1n;

describe('parseExact', () => {
  it.each<[string, unknown]>([
    ['0', 0],
    ['-7', -7],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['1500000000000000001', 1500000000000000001n],
    [String(UINT256_MAX), UINT256_MAX],
    ['1.5', new JsonFloat('1.5')],
    ['10.0', new JsonFloat('10.0')],
    ['1e3', new JsonFloat('1e3')],
    ['1E+400', new JsonFloat('1E+400')],
    ['"9007199254740993"', '9007199254740993'],
    ['"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"', 'a"\\/\b\f\n\r\tA'],
    [' { "a" : [ 1 , true , null ] } ', { a: [1, true, null] }],
    ['{}', {}],
    ['[]', []],
    ['[[],{"b":{}}]', [[], { b: {} }]],
    ['{"constructor":1,"toString":2}', JSON.parse('{"constructor":1,"toString":2}')],
  ])('reads %s', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  it.each([
    ['', 'unexpected end at position 0'],
    ['{"a":1', 'unexpected end at position 6'],
    ['{"a":1,}', 'unexpected character at position 7'],
    ['[1,]', 'unexpected character at position 3'],
    ['{a:1}', 'unexpected character at position 1'],
    ["{'a':1}", 'unexpected character at position 1'],
    ['{"a" 1}', 'unexpected character at position 5'],
    ['1 2', 'unexpected character at position 2'],
    ['01', 'unexpected character at position 1'],
    ['+1', 'unexpected character at position 0'],
    ['.5', 'unexpected character at position 0'],
    ['1.', 'unexpected character at position 1'],
    ['NaN', 'unexpected character at position 0'],
    ['Infinity', 'unexpected character at position 0'],
    ['tru', 'unexpected character at position 0'],
    ['"\u0001"', 'unexpected character at position 0'],
    ['"\\x"', 'unexpected character at position 0'],
    ['"\\u12"', 'unexpected character at position 0'],
    ['"open', 'unexpected character at position 0'],
    ['\ufeff{}', 'unexpected character at position 0'],
    ['\u00a01', 'unexpected character at position 0'],
    ['{"a":1,"a":2}', 'the key "a" is repeated'],
    ['{"a":1,"\\u0061":2}', 'the key "a" is repeated'],
    ['{"__proto__":{"admin":true}}', 'the key "__proto__" is not allowed'],
    ['{"\\u005f_proto__":1}', 'the key "__proto__" is not allowed'],
    ['['.repeat(33) + ']'.repeat(33), 'more than 32 levels deep'],
    ['['.repeat(1_000_000), 'more than 32 levels deep'],
  ])('rejects %.40s', (text, message) => {
    expect(() => parseExact(text)).toThrow(new JsonError(message));
  });

  it('accepts 32 levels', () => {
    const text = `${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}`;
    expect(stringifyExact(parseExact(text))).toBe(text);
  });

  it('changes no prototype', () => {
    const object = parseExact('{"constructor":{"prototype":{"polluted":1}}}') as object;
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('parses any 64 KiB about as fast as an honest one', () => {
    const parse = (text: string) => () => {
      try {
        parseExact(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
    };
    const honest = parse(JSON.stringify(Array.from({ length: 3_000 }, (_, at) => ({ amount: at, a: 'b' }))));
    for (const hostile of ['"', '"\\', '{"a":', '1', '"\\u0000', ' ', '-', '[', '9'.repeat(60_000) + 'e']) {
      const text = hostile.repeat(Math.ceil(65_536 / hostile.length)).slice(0, 65_536);
      expect(timesAsSlow(parse(text), honest)).toBeLessThan(50);
    }
  });
});

describe('stringifyExact', () => {
  it.each<[unknown, string]>([
    [{ amount: 1500000000000000001n, value: 1.5 }, '{"amount":1500000000000000001,"value":1.5}'],
    [[-1n, 0n, UINT256_MAX], `[-1,0,${UINT256_MAX}]`],
    [new JsonFloat('10.0'), '10.0'],
    ['12n', '"12n"'],
    [{ a: undefined, b: new Date(0) }, '{"b":"1970-01-01T00:00:00.000Z"}'],
    [undefined, 'null'],
  ])('prints %p', (value, text) => {
    expect(stringifyExact(value)).toBe(text);
  });
});

/** JSON values as parseExact hands them out. */
const { exact } = fc.letrec((tie) => ({
  exact: fc.oneof(
    { maxDepth: 8 },
    fc.constantFrom(true, false, null),
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger().map((n) => (Object.is(n, -0) ? 0 : n)),
    fc
      .bigInt({ min: -(2n ** 256n), max: 2n ** 256n })
      .filter((n) => n !== BigInt(Number(n)) || n > 2n ** 60n),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => new JsonFloat(n.toExponential())),
    fc.array(tie('exact'), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
      tie('exact'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}));

describe('both ways', () => {
  it('parse undoes stringify, digit for digit', () => {
    fc.assert(
      fc.property(exact, (value) => {
        expect(parseExact(stringifyExact(value))).toStrictEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts and rejects the same texts as JSON.parse', () => {
    const alphabet = Array.from('{}[]:,"\\ 0123456789.eE+-truefalsn\n\t\u0000a');
    const likeJson = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 });
    const refusedOnPurpose = /__proto__|is repeated/;
    fc.assert(
      fc.property(fc.oneof(likeJson, fc.json()), (text) => {
        const native = outcome(() => JSON.parse(text));
        const ours = outcome(() => JSON.parse(stringifyExact(parseExact(text))));
        fc.pre(!refusedOnPurpose.test(ours.error ?? ''));
        // Through text once more: JSON.parse distinguishes -0 from 0, an integer amount does not.
        expect(JSON.stringify(ours.value)).toBe(JSON.stringify(native.value));
      }),
      { numRuns: 5_000 },
    );
  });
});

function outcome(work: () => unknown): { value?: unknown; error?: string } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: String(error) };
  }
}
