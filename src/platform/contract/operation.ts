import { SetMetadata, type Type } from '@nestjs/common';
import type { ErrorCode } from '../errors/error-catalog.pure.js';
import { type NamedSchema } from './field.js';
import type { Schema } from './json-schema.js';

/** A good response of an operation. */
export interface Answer {
  /** The sentence. */
  about: string;
  /** How the envelope wraps it; `none`: no body. */
  form: 'data' | 'page' | 'list-or-page' | 'cursor-page' | 'none' | 'plain';
  /** A list of them with the form `data`. */
  isList?: boolean;
  item?: Type<object>;
  /** Fields of the example that differ from those of the contract, or what stands in place of the example. */
  example?: Record<string, unknown>;
  /** With the form `plain`: schemas by content type, not wrapped in `data`. */
  contents?: Record<string, Schema>;
  refersTo?: readonly NamedSchema[];
}

interface AnswerOptions {
  /** Fields of the example that differ from those of the contract. */
  example?: Record<string, unknown>;
}

/** `{"data": …}`; `[Contract]` is a list that always comes whole. */
export function data(
  item: Type<object> | [Type<object>],
  about: string,
  options: AnswerOptions = {},
): Answer {
  return Array.isArray(item)
    ? { form: 'data', item: item[0], isList: true, about, ...options }
    : { form: 'data', item, about, ...options };
}

/** One page of a list. */
export function page(item: Type<object>, about: string, options: AnswerOptions = {}): Answer {
  return { form: 'page', item, about, ...options };
}

/** A list that comes whole, unless a page is requested (specification/conventions.md#pagination). */
export function listOrPage(item: Type<object>, about: string, options: AnswerOptions = {}): Answer {
  return { form: 'list-or-page', item, about, ...options };
}

/** A piece of a list that only grows at its end. */
export function cursorPage(item: Type<object>, about: string, options: AnswerOptions = {}): Answer {
  return { form: 'cursor-page', item, about, ...options };
}

/** No body, e.g. of a 204. */
export function nothing(about: string): Answer {
  return { form: 'none', about };
}

/** A body that is not JSON, or not wrapped in `data`: schemas by content type. */
export function plain(contents: Record<string, Schema>, about: string): Answer {
  return { form: 'plain', contents, about };
}

/**
 * What the document says of a route. Path, verb, body and query class, access, Idempotency-Key and status code are
 * read from the decorators of Nest and of ours that the route has anyway.
 */
export interface OperationOptions {
  /** camelCase; clients are generated with it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  returns: Answer;
  /** Successful responses with another status than that of the route. */
  alsoReturns?: Readonly<Record<number, Answer>>;
  /** Besides those that follow from what the operation is. */
  errors?: readonly ErrorCode[];
  /** Of the request. */
  body?: {
    /** Fields that differ from the example of the class; null leaves the class's example out altogether. */
    example?: Record<string, unknown>;
    /** Stands alone: nothing of the class's example is added. */
    isWholeExample?: boolean;
    description?: string;
    /** False: the body may be left out. */
    required?: boolean;
  };
  /** Answers 304 to an If-None-Match. */
  etag?: boolean;
}

/** A parameter of a path. */
export interface PathParameter {
  about: string;
  example: string;
  schema?: Schema;
  /** Its name under `components.parameters`, where several operations have it. */
  component?: string;
}

export const OPERATION = 'gateway:operation';
export const PATH_PARAMETERS = 'gateway:path-parameters';
export const LINK_ACCESS = 'gateway:link-access';

export const Operation = (options: OperationOptions) => SetMetadata(OPERATION, options);

/** Describes the parameters of the paths of a controller, or of one route. */
export const PathParameters = (parameters: Readonly<Record<string, PathParameter>>) =>
  SetMetadata(PATH_PARAMETERS, parameters);

/** On a guard that checks a signed link: which kind of link it takes. */
export const TakesLink = (kind: 'signed-link' | 'claim-link') => SetMetadata(LINK_ACCESS, kind);

/** A parameter that is a UUID. */
export function uuidParameter(about: string, example: string, component?: string): PathParameter {
  return { about, example, schema: { type: 'string', format: 'uuid' }, ...(component && { component }) };
}
