import { type ArgumentMetadata, Body, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ValidationError } from '../../kernel/errors/errors.pure.js';
import { JsonFloat } from '../../kernel/exact-json.pure.js';
import { describeBodyKind } from '../../kernel/errors/json-mistake.pure.js';
import { FieldProblems } from '../../kernel/errors/field-problems.js';
import { Cursors } from '../cursors/cursors.service.js';
import { isOtherName, parameterKey, unknownParameterMessage } from '../http/query-parameters.pure.js';
import { eitherOf, similarNames } from '../../kernel/errors/similar-names.pure.js';
import { mayBeAbsent } from './contract.js';
import { applyRules, fieldsOf, problemsOf } from './field.js';

/**
 * A body whose fields have been read one by one. The service checks the valid fields further, adds its own findings to
 * `problems`, and calls {@link finish}: one response lists everything that is wrong.
 */
export class Draft<T extends object> {
  constructor(
    /** The valid fields. One that is missing here was not sent, or is named in `problems`. */
    readonly given: Readonly<Partial<T>>,
    readonly problems = new FieldProblems(),
    /** Everything as it was sent, for error messages. */
    readonly sent: Readonly<Record<string, unknown>> = {},
  ) {}

  /** For callers inside the program, whose fields need no check. */
  static of<T extends object>(fields: T): Draft<T> {
    return new Draft<T>(fields, new FieldProblems(), fields as Record<string, unknown>);
  }

  /** The whole body. @throws ValidationError with every problem */
  finish(): T {
    this.problems.throwIfAny();
    return this.given as T;
  }
}

/** The names of the fields of a contract class: nothing else is copied from the input. */
export function fieldNames(contract: Type<object>): string[] {
  return [...fieldsOf(contract).keys()];
}

/** The rules of a field count on those before them. */
const FIRST_PROBLEM = {
  stopAtFirstError: true,
  forbidUnknownValues: false,
  validationError: { target: false },
};

/** class-transformer would walk into an object, and call what it has as its `constructor`: it is given a function. */
const wrapped = (value: unknown) => (typeof value === 'object' && value !== null ? () => value : value);

/**
 * Converts and checks each field; initial values stand for those that are absent.
 * @param problems already known; the rules of these fields are skipped
 */
function read<T extends object>(contract: Type<T>, input: object, problems: FieldProblems): Draft<T> {
  const values = input as Record<string, unknown>;
  const fields = fieldsOf(contract);
  const refused = new Set([...fields.keys()].filter((name) => problems.has(name)));
  const sent: Record<string, unknown> = {};
  for (const name of fields.keys())
    if (Object.hasOwn(values, name) && !refused.has(name)) sent[name] = wrapped(values[name]);
  applyRules(contract);
  // No field has a decorator that these ignore, @Expose or @Exclude.
  const given = plainToInstance(contract, sent, { ignoreDecorators: true });
  for (const { property, value, constraints = {} } of validateSync(given, FIRST_PROBLEM)) {
    if (refused.has(property)) continue;
    for (const { message: explain, at } of problemsOf(fields.get(property), value, constraints)) {
      const field = at === undefined ? property : `${property}.${at}`;
      problems.add(field, explain(field));
    }
  }
  for (const name of fields.keys()) if (problems.has(name)) Reflect.deleteProperty(given, name);
  return new Draft<T>(given, problems, values);
}

/** Unknown fields of a body that are compared with the known ones: nobody misspells more. */
const MAX_HINTED = 20;
/** And that a body may have at all. */
const MAX_UNKNOWN = 200;

/**
 * Unknown fields are ignored (specification/conventions.md#unknown-input), but one that resembles a missing field is
 * named in that field's error.
 */
function misspelledField(
  known: readonly string[],
  unknown: readonly string[],
  body: object,
): string | undefined {
  const absent = known.filter((field) => !Object.hasOwn(body, field));
  // Responses have their result there, and programs send it back like this.
  if (unknown.includes('data') && absent.length === known.length)
    return 'The fields of a request stand at the top level of the body, not below data.';
  const meant = unknown.slice(0, MAX_HINTED).flatMap((name) => similarNames(name, absent).slice(0, 1));
  if (meant.length === 0) return undefined;
  return `A field of the body that is not known here was ignored; is it meant to be ${eitherOf([...new Set(meant)])}? Names are case-sensitive.`;
}

/**
 * Reads a parsed JSON body; no body at all reads like `{}`, whose missing fields are then named.
 * @throws ValidationError when it is no object, or missing although nothing else tells that something is, or of junk
 */
export function readDraft<T extends object>(contract: Type<T>, input: unknown): Draft<T> {
  const body = input === undefined ? {} : input;
  const fields = fieldsOf(contract);
  // A change of nothing would be reported as a success, e.g. where a proxy or a client lost the body.
  const requiresNoField = () => [...fields.values()].every(({ optional }) => optional);
  if (input === undefined && requiresNoField() && !mayBeAbsent(contract))
    throw ValidationError.of('body', 'The request body is required.');
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof JsonFloat)
    throw ValidationError.of('body', 'The request body must be a JSON object.', describeBodyKind(body));
  const unknown = Object.keys(body).filter((name) => !fields.has(name));
  // It would cost more to read than it is worth.
  if (unknown.length > MAX_UNKNOWN)
    throw ValidationError.of(
      'body',
      `The request body must not have more than ${MAX_UNKNOWN} fields that this endpoint does not know.`,
    );
  const hint = unknown.length > 0 ? misspelledField([...fields.keys()], unknown, body) : undefined;
  return read(contract, body, new FieldProblems({}, hint));
}

/**
 * {@link readDraft} for bodies that need no further check.
 * @throws ValidationError with every wrong field
 */
export async function validateContract<T extends object>(contract: Type<T>, input: unknown): Promise<T> {
  return readDraft(contract, input).finish();
}

/** Classes whose unknown parameters are ignored. */
const LENIENT = new WeakSet<object>();

/** For routes that programs call with parameters of their own; everywhere else an unknown one is refused. */
export function IgnoresUnknownParameters(): ClassDecorator {
  return (contract) => {
    LENIENT.add(contract);
  };
}

/** The query of a list without parameters. */
export class NoParameters {}

/**
 * Reads query parameters: strings, each at most once (`page=1&page=2`, `page[]=1` are refused).
 * Unknown parameters are refused, because an ignored filter would return the wrong objects
 * (specification/conventions.md#unknown-input).
 * @throws ValidationError with every wrong parameter
 */
export async function validateQuery<T extends object>(contract: Type<T>, query: object): Promise<T> {
  const known = fieldNames(contract);
  const problems = new FieldProblems();
  const single: Record<string, unknown> = {};
  let unknown = 0;
  for (const [key, value] of Object.entries(query)) {
    const field = key.replace(/\[.*$/s, '');
    if (!known.includes(field) || isOtherName(key, known)) {
      if (!LENIENT.has(contract) && ++unknown <= MAX_HINTED)
        problems.add(parameterKey(key), unknownParameterMessage(key, known));
      continue;
    }
    single[field] = value;
    if (field !== key || typeof value !== 'string')
      problems.add(field, `The ${field} field must be a single value.`);
  }
  return read(contract, single, problems).finish();
}

/** Types that TypeScript writes into the metadata of untyped and plain parameters. Drafts have their own pipe. */
const NOT_DTOS: unknown[] = [undefined, Object, String, Number, Boolean, Array, Draft];

export function isContract(type: unknown): type is Type<object> {
  return typeof type === 'function' && !NOT_DTOS.includes(type);
}

/** What no reader of a cursor takes. */
const UNREADABLE = '-';

/** The query with its cursors as their endpoints made them. */
function withOpened(contract: Type<object>, query: object, open: (cursor: string) => string | null): object {
  const fields = fieldsOf(contract);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) =>
      fields.get(name)?.isCursor && typeof value === 'string'
        ? [name, open(value) ?? UNREADABLE]
        : [name, value],
    ),
  );
}

/** Registered globally: every `@Body()` and `@Query()` parameter whose type is a class arrives as a checked instance. */
@Injectable()
export class ContractPipe implements PipeTransform {
  constructor(private readonly cursors: Cursors) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!isContract(metatype)) return value;
    if (type === 'body') return validateContract(metatype, value);
    if (type === 'query') {
      const open = (cursor: string) => this.cursors.open(cursor);
      return validateQuery(metatype, withOpened(metatype, Object(value) as object, open));
    }
    return value;
  }
}

/** The pipe of {@link DraftBody}. */
export class DraftPipe implements PipeTransform {
  constructor(readonly contract: Type<object>) {}

  transform(value: unknown): Draft<object> {
    return readDraft(this.contract, value);
  }
}

/** `@DraftBody(CreateThing) draft: Draft<CreateThing>`: a body whose last checks are made by the service. */
export function DraftBody(contract: Type<object>): ParameterDecorator {
  return Body(new DraftPipe(contract));
}
