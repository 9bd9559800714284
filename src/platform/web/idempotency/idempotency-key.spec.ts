import { BadRequestError } from '../../kernel/errors/errors.pure.js';
import { IDEMPOTENCY_KEY_PATTERN, readIdempotencyKey } from './idempotency-key.js';

describe('readIdempotencyKey', () => {
  it.each<[string[] | undefined, string | null]>([
    [undefined, null],
    [[], null],
    [['a'], 'a'],
    [['8e03978e-40d5-43dd-bc93-6894a57f9324'], '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    [['"8e03978e"'], '8e03978e'],
    [['order 17, second try'], 'order 17, second try'],
    [['"with \\"quotes\\" and \\\\"'], 'with "quotes" and \\'],
    [['inner"quote'], 'inner"quote'],
    [['back\\slash'], 'back\\slash'],
    [['x'.repeat(255)], 'x'.repeat(255)],
    [[`"${'x'.repeat(255)}"`], 'x'.repeat(255)],
    [[`"${'\\"'.repeat(255)}"`], '"'.repeat(255)],
  ])('reads %j as %j', (values, key) => {
    expect(readIdempotencyKey(values)).toBe(key);
    for (const value of values ?? []) expect(value).toMatch(new RegExp(IDEMPOTENCY_KEY_PATTERN));
  });

  it.each<[string, string[]]>([
    ['empty', ['']],
    ['empty quotes', ['""']],
    ['256 characters', ['x'.repeat(256)]],
    ['256 characters in quotes', [`"${'x'.repeat(256)}"`]],
    ['sent twice', ['a', 'b']],
    ['sent twice alike', ['a', 'a']],
    ['an open quote', ['"abc']],
    ['a lone quote', ['"']],
    ['a quote inside quotes', ['"a"b"']],
    ['a quote that is escaped away', ['"abc\\"']],
    ['an escape of nothing', ['"a\\bc"']],
    ['parameters after it', ['"abc";v=1']],
    ['a control character', ['a\tb']],
    ['a letter beyond ASCII', ['ä']],
    ['NUL', ['a\u0000']],
  ])('rejects %s', (_what, values) => {
    expect(() => readIdempotencyKey(values)).toThrow(BadRequestError);
    if (values.length === 1) expect(values[0]).not.toMatch(new RegExp(IDEMPOTENCY_KEY_PATTERN));
    expect(() => readIdempotencyKey(values)).toThrow(/Idempotency-Key/);
  });
});
