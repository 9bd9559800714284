import { ValidationError } from '../../kernel/errors/errors.pure.js';
import { validateContract } from './read-contract.js';
import { AtomicText, TextMap } from './fields.js';

class AtomicTextDto {
  @AtomicText()
  field: bigint;
}
class TextMapDto {
  @TextMap({ count: 3, maxKeyLength: 4, maxLength: 6, maxBytes: 42 })
  field: Record<string, string>;
}

const REQUIRED = 'The field field is required.';

async function errorsOf(work: Promise<unknown>): Promise<Record<string, string[]> | undefined> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ValidationError);
  return (error as ValidationError).extra.errors;
}

describe('digits as text', () => {
  const MAX = 2n ** 256n - 1n;
  it.each<[string, bigint]>([
    ['1', 1n],
    ['1500000000000000001', 1_500_000_000_000_000_001n],
    [String(MAX), MAX],
  ])('are converted to an integer: %s', async (text, amount) => {
    expect((await validateContract(AtomicTextDto, { field: text })).field).toBe(amount);
  });

  const form = 'The field field must be a string of digits without leading zeros, e.g. "2500".';
  const wrong = [
    1,
    1n,
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    '１',
    '1_000',
    '1,000',
    true,
    {},
    ['1'],
  ];
  it.each<[unknown, string]>([
    ...wrong.map((value): [unknown, string] => [value, form]),
    ['9'.repeat(79), form],
    ['0', 'The field field must be at least 1.'],
    [String(MAX + 1n), `The field field must not be greater than ${MAX}.`],
    [null, REQUIRED],
  ])('reject anything else: %p', async (value, message) => {
    expect(await errorsOf(validateContract(AtomicTextDto, { field: value }))).toEqual({ field: [message] });
  });
});

describe('a map of texts', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['an empty value', { a: '' }],
    ['the longest names and values, counted in characters', { '🎉🎉🎉🎉': '🎉🎉🎉' }],
    ['a name that objects have', { keys: 'x' }],
    ['as many as may be', { a: '1', b: '2', c: '3' }],
    ['exactly the bytes that it may have', { aaaa: '123456', bbbb: '123456', c: '12' }],
  ])('accepts %s', async (_what, map) => {
    expect((await validateContract(TextMapDto, { field: map })).field).toEqual(map);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['a list', ['a'], { field: 'must be an object of strings by name, e.g. {"cart": "17"}' }],
    ['a text', 'a', { field: 'must be an object of strings by name, e.g. {"cart": "17"}' }],
    ['too many', { a: '', b: '', c: '', d: '' }, { field: 'must not have more than 3 items' }],
    ['an empty name', { '': 'x' }, { field: 'must have keys of 1 to 4 characters' }],
    ['a long name', { aaaaa: 'x' }, { field: 'must have keys of 1 to 4 characters' }],
    ['NUL in a name', { 'a\0': 'x' }, { field: 'must have keys of 1 to 4 characters' }],
    ['half a surrogate pair in a name', { '\ud800': 'x' }, { field: 'must have keys of 1 to 4 characters' }],
    ['a number', { a: 1 }, { 'field.a': 'must be a string' }],
    ['null', { a: null }, { 'field.a': 'must be a string' }],
    ['an object inside', { a: { b: 'c' } }, { 'field.a': 'must be a string' }],
    ['a long value', { a: '1234567' }, { 'field.a': 'must not be greater than 6 characters' }],
    ['NUL in a value', { a: '\0' }, { 'field.a': 'must not contain invalid characters' }],
    [
      'half a surrogate pair in a value',
      { a: '\ud800' },
      { 'field.a': 'must not contain invalid characters' },
    ],
    [
      'two wrong ones',
      { a: 1, b: '', c: true },
      { 'field.a': 'must be a string', 'field.c': 'must be a string' },
    ],
    [
      'a byte too many',
      { aaaa: '123456', bbbb: '123456', c: '123' },
      { field: 'must not be greater than 42 bytes as JSON' },
    ],
    [
      'more bytes than characters',
      { a: 'ßßßßßß', b: 'ßßßßßß', c: 'ß' },
      { field: 'must not be greater than 42 bytes as JSON' },
    ],
  ])('rejects %s', async (_what, value, problems) => {
    const expected = Object.entries(problems).map(([field, rest]) => [
      field,
      [`The ${field} field ${rest}.`],
    ]);
    expect(await errorsOf(validateContract(TextMapDto, { field: value }))).toEqual(
      Object.fromEntries(expected),
    );
  });
});
