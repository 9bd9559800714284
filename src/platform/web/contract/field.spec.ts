import type { Type } from '@nestjs/common';
import { parseExact } from '../../kernel/exact-json.pure.js';
import { fieldsOf } from './field.js';
import {
  AtomicText,
  Choice,
  Count,
  HttpUrl,
  Instant,
  QueryFlag,
  QueryInteger,
  Text,
  TextList,
  TextMap,
  Uuid,
} from './fields.js';
import { mustMessage } from './messages.js';
import { readDraft } from './read-contract.js';

class MapDto {
  @TextMap({})
  field: Record<string, string>;
}

const problemsOf = (contract: Type<object>, field: unknown) => {
  const { problems } = readDraft(contract, { field });
  try {
    problems.throwIfAny();
    return {};
  } catch (error) {
    return (error as { extra?: { errors?: unknown } }).extra?.errors ?? error;
  }
};

describe('the checks beside the rules', () => {
  const check = (what: string) => ({ holds: () => false, message: mustMessage(what) });
  class CheckedDto {
    @Text({ min: 2, also: [check('be this'), check('be that')] })
    field: string;
  }
  const also = ['The field field must be this.', 'The field field must be that.'];

  it.each<[string, unknown, string[]]>([
    ['a value that the rules take', 'abc', also],
    ['one that they refuse', 7, [...also, 'The field field must be a string.']],
  ])('are all reported for %s', (_what, value, messages) =>
    expect(problemsOf(CheckedDto, value)).toEqual({ field: messages }),
  );
});

describe('a class that is read', () => {
  class BaseDto {
    @Text({ optional: true })
    label?: string;
  }
  class AgainDto extends BaseDto {
    @Text({ max: 3 })
    override label = '';
  }
  class CountDto {
    @Count()
    count: number;
  }

  it.each<[string, Type<object>, string]>([
    ['a field of its parent', AgainDto, 'AgainDto.label is declared again'],
    ['a field without rules', CountDto, 'CountDto.count has no rules: only responses have it'],
  ])('cannot have %s', (_what, contract, message) => expect(() => readDraft(contract, {})).toThrow(message));
});

/** Values of every kind that JSON has, and objects with names that class-transformer would use. */
const HOSTILE = parseExact(
  '[true,0,1,-1,1.5,100000000000000000000,"","a",[],[[]],[null],{},{"constructor":"x"},{"constructor":{"name":"Date"}},' +
    '{"prototype":1},{"then":"x"},{"toString":1},{"length":1,"0":"a"}]',
) as unknown[];

describe('a value of another type', () => {
  class EveryDto {
    @Uuid({ optional: true })
    uuid?: string;
    @HttpUrl({ optional: true })
    url?: string;
    @Instant({ optional: true })
    instant?: Date;
    @AtomicText({ optional: true })
    digits?: bigint;
    @QueryFlag({ optional: true })
    flag?: boolean;
    @QueryInteger({ optional: true, min: 0, max: 9 })
    integer?: number;
    @Choice(['b'], { optional: true })
    choice?: string;
    @TextList({ optional: true, min: 1 })
    list?: string[];
    @TextMap({ optional: true, maxBytes: 1 })
    map?: Record<string, string>;
  }

  it.each([...fieldsOf(EveryDto).keys()])('does not pass for what it would be converted to: %s', (name) => {
    const sent = [...HOSTILE, NaN, Object.create(null)];
    expect(sent.filter((value) => name in readDraft(EveryDto, { [name]: value }).given)).toEqual([]);
  });
});

describe('the names of a map', () => {
  it('are left alone', () => {
    const sent = parseExact('{"constructor":"a","prototype":"b","then":"c","$value":"d"}');
    expect(readDraft(MapDto, { field: sent }).given.field).toBe(sent);
  });

  it('stand in messages as they are', () =>
    expect(problemsOf(MapDto, { $value: 7, $property: 8 })).toEqual({
      'field.$value': ['The field.$value field must be a string.'],
      'field.$property': ['The field.$property field must be a string.'],
    }));
});
