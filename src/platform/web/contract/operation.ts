import { SetMetadata, type Type } from '@nestjs/common';
import type { ErrorCode } from '../../kernel/errors/error-catalog.pure.js';
import { titleOf } from './contract.js';
import { UUID } from '../../kernel/ids.pure.js';
import { ref, type Schema } from './json-schema.js';

/** The body of a successful response. */
export interface ResponseBody {
  /** The description of the response. */
  about: string;
  /** How the envelope wraps the item; `none`: no body; `unwrapped`: JSON without `data`. */
  form: 'data' | 'page' | 'list-or-page' | 'cursor-page' | 'unwrapped' | 'plain' | 'none' | 'redirect';
  /** With the form `data`: a list of items. */
  isList?: boolean;
  item?: Type<object>;
  /** Fields of the example that differ from the example of the contract. */
  example?: Record<string, unknown>;
  /** With the form `plain`: schemas by content type. */
  contents?: Record<string, Schema>;
}

type ExampleOptions = Pick<ResponseBody, 'example'>;

/** `{"data": …}`; `[Contract]` is a list that always comes whole. */
export function data(
  item: Type<object> | [Type<object>],
  about: string,
  options: ExampleOptions = {},
): ResponseBody {
  return Array.isArray(item)
    ? { form: 'data', item: item[0], isList: true, about, ...options }
    : { form: 'data', item, about, ...options };
}

/** One page of a list. */
export function page(item: Type<object>, about: string, options: ExampleOptions = {}): ResponseBody {
  return { form: 'page', item, about, ...options };
}

/** A list that comes whole, unless a page is requested (specification/conventions.md#pagination). */
export function listOrPage(item: Type<object>, about: string, options: ExampleOptions = {}): ResponseBody {
  return { form: 'list-or-page', item, about, ...options };
}

/** A piece of a list that is continued from a position, not from a page number. */
export function cursorPage(item: Type<object>, about: string, options: ExampleOptions = {}): ResponseBody {
  return { form: 'cursor-page', item, about, ...options };
}

/** No body, e.g. of a 204. */
export function nothing(about: string): ResponseBody {
  return { form: 'none', about };
}

/** A JSON document with a format of its own, not wrapped in `data`. */
export function unwrapped(item: Type<object>, about: string): ResponseBody {
  return { form: 'unwrapped', item, about };
}

/** A body that is not JSON: schemas by content type. */
export function plain(contents: Record<string, Schema>, about: string): ResponseBody {
  return { form: 'plain', contents, about };
}

/** Office Open XML. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file of any length, as CSV, as JSON Lines or as a workbook. @param row the contract of one row for programs */
export function exported(row: Type<object>, about: string): ResponseBody {
  const contents = {
    'text/csv': {
      type: 'string',
      description:
        'RFC 4180, with a header line. The columns are the fields of the JSON object; with `locale`, those of the workbook.',
    },
    'application/jsonl': ref(titleOf(row)),
    [WORKBOOK_TYPE]: WORKBOOK,
  } as const;
  return { form: 'plain', item: row, contents, about: `${about} In JSON Lines each line is one object.` };
}

const WORKBOOK: Schema = {
  type: 'string',
  format: 'binary',
  description: 'One table, with heads in the language.',
};

/** A file for people, as a workbook or as CSV. */
export function sheetFile(about: string): ResponseBody {
  const csv: Schema = {
    type: 'string',
    description: 'The same table, for the spreadsheets of the language.',
  };
  return plain({ [WORKBOOK_TYPE]: WORKBOOK, 'text/csv': csv }, about);
}

/** Server-sent events. @param event the contract of the `data` of an event, which is JSON */
export function eventStream(event: Type<object>, about: string): ResponseBody {
  return {
    form: 'plain',
    item: event,
    contents: { 'text/event-stream': ref(titleOf(event)) },
    about: `${about} The \`data\` of each event is one such object.`,
  };
}

/** An HTML page. */
export function htmlPage(about: string): ResponseBody {
  return plain({ 'text/html': { type: 'string' } }, about);
}

/** No body, but a `Location` header. */
export function redirect(about: string): ResponseBody {
  return { form: 'redirect', about };
}

/**
 * The description of a route in the OpenAPI document. Path, verb, body and query class, access, Idempotency-Key and
 * status code are not repeated here: they are read from the other decorators of the route.
 */
export interface OperationOptions {
  /** camelCase; clients are generated with it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  returns: ResponseBody;
  /** Responses with another status than that of the route. */
  alsoReturns?: Readonly<Record<number, ResponseBody>>;
  /** Error codes in addition to those that follow from access, parameters and Idempotency-Key. */
  errors?: readonly ErrorCode[];
  /** About the request body. */
  body?: {
    /** Fields that differ from the example of the class. */
    example?: Record<string, unknown>;
    /** The example is complete: nothing of the class's example is added. */
    isWholeExample?: boolean;
    description?: string;
  };
  /** Returns 304 for an If-None-Match with the current ETag. */
  etag?: boolean;
  /** For browsers only (`x-internal`): not part of the API for programs. */
  isInternal?: boolean;
  /** Errors are HTML pages, unless the client takes only JSON. */
  hasErrorPages?: boolean;
  /** Query parameters that the handler reads by itself, because it ignores what is wrong with them. */
  query?: Type<object>;
  /** Fields of an HTML form that the handler reads by itself. */
  form?: Type<object>;
  /** Headers of the request by name; with a description alone, any text, and optional. */
  headers?: Readonly<Record<string, string | RequestHeader>>;
}

export interface RequestHeader {
  about: string;
  required: boolean;
  schema: Schema;
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
export const WEBHOOK = 'gateway:webhook';

export const Operation = (options: OperationOptions) => SetMetadata(OPERATION, options);

/** The description of a request that the gateway sends. Its summary is the description of the contract class. */
export interface WebhookOptions {
  /** camelCase; clients are generated with it. */
  id: string;
  description: string;
}

/** On the contract class of the request's body. */
export const Webhook = (options: WebhookOptions) => SetMetadata(WEBHOOK, options);

/** Describes the parameters of the paths of a controller, or of one route. */
export const PathParameters = (parameters: Readonly<Record<string, PathParameter>>) =>
  SetMetadata(PATH_PARAMETERS, parameters);

/** On a guard that checks a signed link, or on a controller that checks it by itself: the kind of link. */
export const TakesLink = (kind: 'signed-link' | 'claim-link' | 'receipt-link') =>
  SetMetadata(LINK_ACCESS, kind);

/** A parameter that is a UUID. */
export function uuidParameter(about: string, example: string, component?: string): PathParameter {
  // The pattern is narrower: of a UUID in capitals the answer is that there is no such object.
  const schema: Schema = { type: 'string', format: 'uuid', pattern: UUID.source };
  return { about, example, schema, ...(component && { component }) };
}
