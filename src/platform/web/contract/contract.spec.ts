import {
  Contract,
  enumeration,
  exampleOf,
  fieldSchema,
  OneOf,
  reachableFrom,
  schemaOf,
  titleOf,
} from './contract.js';
import { fieldsOf } from './field.js';
import {
  AtomicAmount,
  Choice,
  Count,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
  TextList,
  Uuid,
} from './fields.js';
import { ANY_INSTANT } from './json-schema.js';

const COLOR = enumeration('Color', 'A color.', ['red', 'green']);

@Contract('Part', 'A part of a thing.')
class PartContract {
  @Text({ about: 'Its name.', example: 'wheel' })
  name: string;
}

@Contract('Thing', 'A thing.')
class ThingContract {
  @Uuid({ about: 'The thing.', example: '550e8400-e29b-41d4-a716-446655440000' })
  id: string;

  @Text({ min: 1, max: 8, nullable: true, about: 'A note.' })
  note: string | null;

  @Choice(COLOR, { optional: true, about: 'The color.' })
  color?: string;

  @Nested(() => PartContract, { nullable: true, about: 'The main part.' })
  main: PartContract | null;

  @NestedList(() => PartContract, { about: 'All parts.', max: 3 })
  parts: PartContract[];

  @Instant({ about: 'When it was made.' })
  madeAt: string;
}

@Contract('BigThing', 'A thing with a size.')
class BigThingContract extends ThingContract {
  @Count({ about: 'Its size.', example: 7 })
  size: number;

  @Text({ max: 4, about: 'A shorter note.', example: 'big' })
  override note = '';
}

class UntitledContract {
  @Flag({ about: 'Anything.' })
  flag: boolean;
}

@Contract('Bare', 'Has a field without a decorator.')
class BareContract extends PartContract {
  forgotten?: string;
}

@Contract('Hollow', 'Refers to a class without a title.')
class HollowContract {
  @Nested(() => UntitledContract)
  inner: UntitledContract;
}

@Contract('Cyclic', 'Refers to a class that is not loaded yet.')
class CyclicContract {
  @Nested(() => undefined as never)
  later: object;
}

@Contract('Mute', 'Has no example.')
class MuteContract {
  @Text({ about: 'Required, without an example.' })
  name: string;
}

@OneOf('Either', 'One of two.', () => [PartContract, ThingContract])
class EitherContract {}

describe('schemaOf', () => {
  it('has every declared field, and requires those that are not optional', () => {
    expect(schemaOf(ThingContract, 'response')).toEqual({
      type: 'object',
      title: 'Thing',
      description: 'A thing.',
      properties: {
        id: { type: 'string', format: 'uuid', description: 'The thing.' },
        note: { type: ['string', 'null'], minLength: 1, maxLength: 8, description: 'A note.' },
        color: { $ref: '#/components/schemas/Color', description: 'The color.' },
        main: {
          anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }],
          description: 'The main part.',
        },
        parts: {
          type: 'array',
          items: { $ref: '#/components/schemas/Part' },
          maxItems: 3,
          description: 'All parts.',
        },
        madeAt: {
          type: 'string',
          format: 'date-time',
          pattern: expect.any(String) as string,
          description: 'When it was made.',
        },
      },
      required: ['id', 'note', 'main', 'parts', 'madeAt'],
    });
  });

  it('lists inherited fields after own ones, and lets a class declare one again', () => {
    const { properties = {} } = schemaOf(BigThingContract, 'response');
    expect(Object.keys(properties)).toEqual(['size', 'note', 'id', 'color', 'main', 'parts', 'madeAt']);
    expect(properties['note']).toEqual({ type: 'string', maxLength: 4, description: 'A shorter note.' });
  });

  it('describes an enumeration and a choice of contracts', () => {
    expect(schemaOf(COLOR, 'body')).toEqual({
      type: 'string',
      title: 'Color',
      description: 'A color.',
      enum: ['red', 'green'],
    });
    expect(schemaOf(EitherContract, 'response')).toEqual({
      title: 'Either',
      description: 'One of two.',
      anyOf: [{ $ref: '#/components/schemas/Part' }, { $ref: '#/components/schemas/Thing' }],
    });
  });

  it('allows further properties only where the contract says so', () => {
    @Contract('Open', 'Has more.', { additionalProperties: { type: 'string' } })
    class OpenContract extends PartContract {}
    expect(schemaOf(OpenContract, 'response').additionalProperties).toEqual({ type: 'string' });
    expect(schemaOf(PartContract, 'response').additionalProperties).toBeUndefined();
  });

  it.each<[string, () => unknown, string]>([
    [
      'a class without @Contract',
      () => schemaOf(UntitledContract, 'body'),
      'UntitledContract has no @Contract',
    ],
    ['a title of such a class', () => titleOf(UntitledContract), 'UntitledContract has no @Contract'],
    [
      'a field without a decorator',
      () => schemaOf(BareContract, 'body'),
      'BareContract.forgotten has no field decorator',
    ],
    [
      'a nested class without @Contract',
      () => schemaOf(HollowContract, 'response'),
      'HollowContract.inner: UntitledContract has no @Contract',
    ],
    [
      'a nested class that is not loaded',
      () => schemaOf(CyclicContract, 'response'),
      'CyclicContract.later: the contract is undefined; is there an import cycle?',
    ],
  ])('refuses %s by name', (_name, describe, message) => expect(describe).toThrow(message));
});

describe('fieldSchema', () => {
  class Fields {
    @Instant()
    at: Date;
    @AtomicAmount({ min: 0n })
    amount: bigint;
    @Choice(COLOR)
    color: string;
    @TextList({ of: COLOR, unique: true, min: 1 })
    colors: string[];
    @Text({ writeOnly: true, deprecated: true, default: 'x' })
    secret: string;
  }
  const field = (name: string) => {
    const found = fieldsOf(Fields).get(name);
    if (!found) throw new Error(name);
    return found;
  };

  it.each([
    ['at', 'body', ANY_INSTANT],
    ['amount', 'body', { type: 'integer', minimum: 0, 'x-go-type': 'json.Number' }],
    ['color', 'body', { $ref: '#/components/schemas/Color' }],
    ['color', 'query', { type: 'string', enum: ['red', 'green'] }],
    [
      'colors',
      'response',
      { type: 'array', items: { $ref: '#/components/schemas/Color' }, minItems: 1, uniqueItems: true },
    ],
    ['secret', 'body', { type: 'string', default: 'x', deprecated: true, writeOnly: true }],
  ] as const)('of %s in a %s', (name, direction, schema) =>
    expect(fieldSchema(field(name), direction)).toEqual(schema),
  );
});

describe('reachableFrom', () => {
  it.each([
    ['a contract', ThingContract, [ThingContract, COLOR, PartContract]],
    ['a subclass', BigThingContract, [BigThingContract, COLOR, PartContract]],
    ['a choice', EitherContract, [EitherContract, PartContract, ThingContract, COLOR]],
    ['an enumeration', COLOR, [COLOR]],
  ])('finds everything that %s refers to', (_name, contract, found) =>
    expect([...reachableFrom(contract)]).toEqual(found),
  );
});

describe('exampleOf', () => {
  it('has the example of each field, null where it may be, and no optional field without one', () => {
    expect(exampleOf(ThingContract, 'response')).toEqual({
      id: '550e8400-e29b-41d4-a716-446655440000',
      note: null,
      main: null,
      parts: [{ name: 'wheel' }],
      madeAt: '2026-01-15T10:00:00Z',
    });
  });

  it('is that of the first of several contracts', () =>
    expect(exampleOf(EitherContract, 'response')).toEqual({ name: 'wheel' }));

  it('refuses a field without an example by name', () =>
    expect(() => exampleOf(MuteContract, 'body')).toThrow('MuteContract.name needs an example'));
});
