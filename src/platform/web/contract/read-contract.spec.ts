import { Contract } from './contract.js';
import { JsonFloat, parseExact } from '../../kernel/exact-json.pure.js';
import { ValidationError } from '../../kernel/errors/errors.pure.js';
import {
  ContractPipe,
  IgnoresUnknownParameters,
  NoParameters,
  validateContract,
  validateQuery,
} from './read-contract.js';
import {
  AtomicAmount,
  Choice,
  Flag,
  HttpUrl,
  Instant,
  QueryInteger,
  Text,
  TextList,
  Uuid,
} from './fields.js';
import { mustMessage } from './messages.js';

class TextDto {
  @Text({ min: 3, max: 5 })
  field: string;
}
class LooseTextDto {
  @Text({ min: 0, max: 5 })
  field: string;
}
class UuidDto {
  @Uuid()
  field: string;
}
class UrlDto {
  @HttpUrl({ maxLength: 60 })
  field: string;
}
class HttpsDto {
  @HttpUrl({ httpsOnly: true })
  field: string;
}
class InstantDto {
  @Instant()
  field: Date;
}
class BooleanDto {
  @Flag()
  field: boolean;
}
class AmountDto {
  @AtomicAmount()
  field: bigint;
}
class ZeroAmountDto {
  @AtomicAmount({ min: 0n, max: 10n })
  field: bigint;
}
class OneOfDto {
  @Choice(['BTC', 'ETH'])
  field: string;
}
class ArrayDto {
  @TextList({ min: 1, max: 3, unique: true, maxLength: 4, of: ['BTC', 'ETH', 'LTC'] })
  field: string[];
}
class QueryDto {
  @QueryInteger({ min: 1, max: 100 })
  field: number;
}
type Dto = new () => { field: unknown };

const REQUIRED = 'The field field is required.';
const URL_FORM =
  'with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders';
const INSTANT_FORM = 'be a valid ISO 8601 date with a time zone, e.g. 2027-01-31T12:00:00Z';
const NO_AMOUNT =
  'The field field must be an integer in the smallest unit of the currency, digits only: 2500 for 25.00 USD.';
const INVALID_CHARACTERS = 'The field field must not contain invalid characters.';

async function errorsOf(work: Promise<unknown>): Promise<Record<string, string[]> | undefined> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ValidationError);
  return (error as ValidationError).extra.errors;
}

describe('a field that is right', () => {
  it.each<[string, Dto, unknown, unknown]>([
    ['text', TextDto, 'abc', 'abc'],
    ['text of 5 emoji', TextDto, '💰💰💰💰💰', '💰💰💰💰💰'],
    ['empty text where allowed', LooseTextDto, '', ''],
    ['UUID', UuidDto, '550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
    [
      'UUID in capitals',
      UuidDto,
      '550E8400-E29B-41D4-A716-446655440000',
      '550e8400-e29b-41d4-a716-446655440000',
    ],
    ['URL, kept as written', UrlDto, 'HTTP://Shop.example:8080?a=%20', 'HTTP://Shop.example:8080?a=%20'],
    ['URL of an address', UrlDto, 'http://[::1]:3000/x', 'http://[::1]:3000/x'],
    ['https URL', HttpsDto, 'https://shop.example/thanks#top', 'https://shop.example/thanks#top'],
    ['instant', InstantDto, '2026-01-15T10:20:00Z', new Date('2026-01-15T10:20:00Z')],
    [
      'instant with offset and fraction',
      InstantDto,
      '2026-01-15T10:20:00.5+02:00',
      new Date('2026-01-15T08:20:00.5Z'),
    ],
    ['boolean', BooleanDto, false, false],
    ['amount', AmountDto, 1, 1n],
    ['amount beyond 2^53', AmountDto, 9007199254740993n, 9007199254740993n],
    ['uint256', AmountDto, 2n ** 256n - 1n, 2n ** 256n - 1n],
    ['zero where allowed', ZeroAmountDto, 0, 0n],
    ['one of', OneOfDto, 'BTC', 'BTC'],
    ['array', ArrayDto, ['BTC', 'ETH'], ['BTC', 'ETH']],
  ])('%s', async (_name, dto, value, read) => {
    expect((await validateContract(dto, { field: value })).field).toStrictEqual(read);
  });
});

describe('a field that is wrong', () => {
  it.each<[Dto, unknown, string]>([
    [TextDto, undefined, REQUIRED],
    [TextDto, null, REQUIRED],
    [TextDto, '', REQUIRED],
    [TextDto, 'ab', 'The field field must be between 3 and 5 characters.'],
    [TextDto, 'abcdef', 'The field field must be between 3 and 5 characters.'],
    [LooseTextDto, 'abcdef', 'The field field must not be greater than 5 characters.'],
    [TextDto, 123, 'The field field must be a string.'],
    [TextDto, ['abc'], 'The field field must be a string.'],
    [TextDto, { a: 1 }, 'The field field must be a string.'],
    [TextDto, true, 'The field field must be a string.'],
    [TextDto, 'ab\0c', INVALID_CHARACTERS],
    [TextDto, 'ab\ud83d', INVALID_CHARACTERS],
    [TextDto, '\udcb0ab', INVALID_CHARACTERS],
    ...['', 'x', ' 5', 5, []].map((value): [Dto, unknown, string] => [
      UuidDto,
      value,
      'The field field must be a valid UUID, such as 550e8400-e29b-41d4-a716-446655440000.',
    ]),
    [UrlDto, 12, 'The field field must be a string.'],
    [
      UrlDto,
      `https://a.example/${'x'.repeat(60)}`,
      'The field field must not be greater than 60 characters.',
    ],
    [UrlDto, 'ftp://a.example', `The field field must be a valid URL ${URL_FORM}.`],
    [HttpsDto, 'http://a.example', `The field field must be a valid https URL ${URL_FORM}.`],
    ...['2026-01-15', '2026-01-15T10:20:00', '2026-02-30T00:00:00Z', 'now', '', 1768472400, {}].map(
      (value): [Dto, unknown, string] => [InstantDto, value, `The field field must ${INSTANT_FORM}.`],
    ),
    [
      InstantDto,
      '2026-01-15T10:20:00 02:00',
      `The field field must ${INSTANT_FORM}; in a query the + of a time zone is written as %2B.`,
    ],
    ...['true', 1, 0, 'on', []].map((value): [Dto, unknown, string] => [
      BooleanDto,
      value,
      'The field field must be true or false, without quotes.',
    ]),
    ...[
      '12',
      '',
      new JsonFloat('10.0'),
      new JsonFloat('1e3'),
      new JsonFloat('1e400'),
      1.5,
      NaN,
      Infinity,
    ].map((value): [Dto, unknown, string] => [AmountDto, value, NO_AMOUNT]),
    ...[true, [1], {}, 2 ** 53].map((value): [Dto, unknown, string] => [AmountDto, value, NO_AMOUNT]),
    [AmountDto, null, REQUIRED],
    [AmountDto, 0, 'The field field must be at least 1.'],
    [AmountDto, -1, 'The field field must be at least 1.'],
    [AmountDto, -(10n ** 30n), 'The field field must be at least 1.'],
    [AmountDto, 2n ** 256n, `The field field must not be greater than ${2n ** 256n - 1n}.`],
    [ZeroAmountDto, -1, 'The field field must be at least 0.'],
    [ZeroAmountDto, 11, 'The field field must not be greater than 10.'],
    [OneOfDto, 'btc', 'The selected field is invalid. Did you mean BTC? It must be one of BTC, ETH.'],
    [OneOfDto, ['BTC'], 'The selected field is invalid. It must be one of BTC, ETH.'],
    [OneOfDto, 'toString', 'The selected field is invalid. It must be one of BTC, ETH.'],
    [ArrayDto, 'BTC', 'The field field must be an array of strings, e.g. ["first", "second"].'],
    [
      ArrayDto,
      { 0: 'BTC', length: 1 },
      'The field field must be an array of strings, e.g. ["first", "second"].',
    ],
    [ArrayDto, [], 'The field field must have at least 1 item.'],
    [ArrayDto, ['BTC', 'ETH', 'LTC', 'BTC'], 'The field field must not have more than 3 items.'],
  ])('%p = %p', async (dto, value, message) => {
    expect(await errorsOf(validateContract(dto, { field: value }))).toEqual({ field: [message] });
  });

  it.each<[unknown[], Record<string, string[]>]>([
    [['BTC', 'DOGE'], { 'field.1': ['The selected field.1 is invalid. It must be one of BTC, ETH, LTC.'] }],
    [['ETH', 'BTC', 'ETH'], { 'field.2': ['The field.2 field has a duplicate value.'] }],
    [
      [1, null],
      { 'field.0': ['The field.0 field must be a string.'], 'field.1': ['The field.1 field is required.'] },
    ],
    [['BITCOIN'], { 'field.0': ['The field.0 field must not be greater than 4 characters.'] }],
    [['B\0'], { 'field.0': ['The field.0 field must not contain invalid characters.'] }],
  ])('names the item of %p', async (value, errors) => {
    expect(await errorsOf(validateContract(ArrayDto, { field: value }))).toEqual(errors);
  });
});

describe('a whole body', () => {
  class BaseDto {
    @Text({ min: 3, max: 10, optional: true, nullable: true })
    url?: string | null;

    @Text({ min: 3, max: 10, optional: true })
    label?: string;

    @AtomicAmount({ optional: true })
    limit = 5n;
  }
  class CreateDto extends BaseDto {
    @Text({ min: 3, max: 10 })
    name: string;

    @Instant({ nullable: true })
    until: Date | null;
  }
  @Contract('Optional', 'A body that may be absent.', { mayBeAbsent: true })
  class OptionalDto extends BaseDto {}
  const least = { name: 'abc', until: null };

  it('keeps absent optional fields undefined or at their default', async () => {
    expect(await validateContract(CreateDto, least)).toEqual({ name: 'abc', until: null, limit: 5n });
  });

  it('accept null only in nullable fields', async () => {
    const body = { ...least, url: null, label: null };
    expect(await errorsOf(validateContract(CreateDto, body))).toEqual({
      label: ['The label field is required.'],
    });
    expect((await validateContract(CreateDto, { ...least, url: null })).url).toBeNull();
  });

  it('requires nullable fields to be present', async () => {
    expect(await errorsOf(validateContract(CreateDto, { name: 'abc' }))).toEqual({
      until: ['The until field is required.'],
    });
  });

  it('converts inherited fields', async () => {
    expect((await validateContract(CreateDto, { ...least, limit: 7 })).limit).toBe(7n);
  });

  it('collects every wrong field and counts them in the message', async () => {
    const work = validateContract(CreateDto, { name: 'a', label: 5 });
    await expect(work).rejects.toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: expect.stringMatching(/^The \w+ field .* \(and 2 more errors\)$/) as string,
    });
    expect(Object.keys((await errorsOf(work)) ?? {}).sort()).toEqual(['label', 'name', 'until']);
  });

  it('drops fields without a rule', async () => {
    const hostile = parseExact(
      '{"name":"abc","until":null,"id":"1","constructor":{"a":1},"toString":1,"valueOf":2,"isAdmin":true}',
    );
    const dto = await validateContract(CreateDto, hostile);
    expect(
      Object.keys(dto)
        .filter((key) => dto[key as keyof CreateDto] !== undefined)
        .sort(),
    ).toEqual(['limit', 'name', 'until']);
    expect(dto).toBeInstanceOf(CreateDto);
  });

  it('ignores inherited properties', async () => {
    const body = Object.create({ name: 'abc', until: null }) as object;
    expect(Object.keys((await errorsOf(validateContract(CreateDto, body))) ?? {})).toHaveLength(2);
  });

  it.each([[[]], [null], ['text'], [5], [true], [10n ** 20n]])('must be an object, not %p', async (body) => {
    expect(await errorsOf(validateContract(BaseDto, body))).toEqual({
      body: ['The request body must be a JSON object.'],
    });
  });

  it('that is absent is refused, unless it may be absent or lacks a field', async () => {
    expect(await errorsOf(validateContract(BaseDto, undefined))).toEqual({
      body: ['The request body is required.'],
    });
    expect(await validateContract(OptionalDto, undefined)).toEqual({ limit: 5n });
    expect(Object.keys((await errorsOf(validateContract(CreateDto, undefined))) ?? {})).toEqual([
      'name',
      'until',
    ]);
  });

  it('reports the same problem of a field once', async () => {
    const isA = { holds: (value: unknown) => value === 'a', message: mustMessage('be a string') };
    class TwiceDto {
      @Text({ also: [isA] })
      field: string;
    }
    const errors = await errorsOf(validateContract(TwiceDto, { field: 7 }));
    expect(errors).toEqual({ field: ['The field field must be a string.'] });
  });
});

describe('query parameters', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ field: '0' }, 'The field field must be between 1 and 100.'],
    [{ field: '-1' }, 'The field field must be between 1 and 100.'],
    [{ field: '101' }, 'The field field must be between 1 and 100.'],
    [{ field: '100000000000000000000' }, 'The field field must be between 1 and 100.'],
    ...['', ' 1', '1.0', '1e1', '0x1', 'NaN', '+1', '１'].map((field): [Record<string, unknown>, string] => [
      { field },
      'The field field must be an integer.',
    ]),
    [{ field: ['1', '1'] }, 'The field field must be a single value.'],
    [{ 'field[]': '1' }, 'The field field must be a single value.'],
    [{ 'field[a][b]': '1' }, 'The field field must be a single value.'],
    [{}, REQUIRED],
  ])('%p is refused', async (query, message) => {
    expect(await errorsOf(validateQuery(QueryDto, query))).toEqual({ field: [message] });
  });

  it('report a repeated and an invalid parameter in one error', async () => {
    class ListDto {
      @QueryInteger({ min: 1, max: 100 })
      page: number;

      @Choice(['a', 'b'])
      sort: string;
    }
    expect(
      Object.keys((await errorsOf(validateQuery(ListDto, { page: ['1', '2'], sort: 'c' }))) ?? {}),
    ).toEqual(['page', 'sort']);
  });

  it('are read as numbers', async () => {
    const query = Object.assign(Object.create(null) as object, { field: '42' });
    expect(await validateQuery(QueryDto, query)).toEqual({ field: 42 });
  });

  it('are all refused when unknown, together with the invalid ones', async () => {
    const query = { field: '0', Field: '1', utm: ['a', 'b'] };
    expect(await errorsOf(validateQuery(QueryDto, query))).toEqual({
      field: ['The field field must be between 1 and 100.'],
      Field: ['The Field parameter is not known by this list. Did you mean field? Known are field.'],
      utm: ['The utm parameter is not known by this list. Known are field.'],
    });
    expect(await errorsOf(validateQuery(NoParameters, { enabled: 'true' }))).toEqual({
      enabled: ['The enabled parameter is not known by this list. It takes none.'],
    });
  });

  it('are ignored when unknown on routes where programs add their own', async () => {
    @IgnoresUnknownParameters()
    class StreamDto extends QueryDto {}
    expect(await validateQuery(StreamDto, { field: '42', lastEventId: 'x' })).toEqual({ field: 42 });
  });
});

describe('many unknown names', () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`fie${i}d`, '1']));

  it('of a body are ignored up to 200, and refused from 201', async () => {
    expect(await validateContract(TextDto, { field: 'abc', ...names(200) })).toEqual({ field: 'abc' });
    expect(await errorsOf(validateContract(TextDto, { field: 'abc', ...names(201) }))).toEqual({
      body: ['The request body must not have more than 200 fields that this endpoint does not know.'],
    });
  });

  it('of a query are named up to the twentieth', async () => {
    expect(
      Object.keys((await errorsOf(validateQuery(QueryDto, { field: '1', ...lettered(30) }))) ?? {}),
    ).toHaveLength(20);
  });
});

/** `pa`, `pb` … */
const lettered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${(i + 10).toString(36)}`, '1']));

describe('ContractPipe', () => {
  const pipe = new ContractPipe({ open: () => null } as never);

  it('validates bodies and queries that are classes, and nothing else', async () => {
    await expect(pipe.transform({}, { type: 'body', metatype: TextDto })).rejects.toThrow(REQUIRED);
    await expect(pipe.transform(undefined, { type: 'query', metatype: QueryDto })).rejects.toThrow(REQUIRED);
    expect(await pipe.transform('x', { type: 'param', metatype: String })).toBe('x');
    expect(await pipe.transform({ a: 1 }, { type: 'query', metatype: Object })).toEqual({ a: 1 });
    expect(await pipe.transform({ a: 1 }, { type: 'custom', metatype: TextDto })).toEqual({ a: 1 });
  });
});
