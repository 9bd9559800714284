import { exampleOf, titleOf } from '../platform/contract/contract.js';
import { header, LIMITED } from '../platform/contract/headers.js';
import { list, ref, type Schema } from '../platform/contract/json-schema.js';
import type { Response } from '../platform/contract/openapi-types.js';
import type { ResponseBody } from '../platform/contract/operation.js';
import { CursorContract, PaginationContract } from '../platform/http/pagination.contract.js';

const LOCATION = { description: 'Where to go.', required: true, schema: { type: 'string' } } as const;

/** The headers of a successful response that follow from its operation. */
interface ResponseKind {
  isIdempotent: boolean;
  hasJsonBody: boolean;
  hasEtag: boolean;
}

/** A successful response. */
export function describeResponse(body: ResponseBody, kind: ResponseKind): Response {
  const content = contentOf(body);
  return {
    description: body.about,
    headers: {
      ...LIMITED,
      ...(kind.isIdempotent && { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
      ...(kind.hasJsonBody && { 'X-Ignored-Fields': header('IgnoredFields') }),
      ...(kind.hasEtag && { ETag: header('ETag') }),
      ...(body.form === 'redirect' && { Location: LOCATION }),
    },
    ...(content && { content }),
  };
}

function contentOf({ form, item, isList, about, example, contents = {} }: ResponseBody): Response['content'] {
  if (form === 'plain')
    return Object.fromEntries(Object.entries(contents).map(([type, schema]) => [type, { schema }]));
  if (!item) return undefined;
  const shown = { ...exampleOf(item, 'response'), ...example };
  const schema = ref(titleOf(item));
  if (form === 'unwrapped') return { 'application/json': { schema, example: shown } };
  if (form === 'data' && !isList) return wrapped(schema, shown);
  if (form === 'data') return wrapped(list(about, schema), [shown]);
  if (form === 'list-or-page')
    return wrapped(list('The items.', schema), [shown], {
      schema: meta('Present when a page was requested.', { pagination: ref(titleOf(PaginationContract)) }),
      isOptional: true,
    });
  if (form === 'page')
    return wrapped(list('The items of this page.', schema), [shown], {
      schema: meta('About the list.', { pagination: ref(titleOf(PaginationContract)) }),
      example: { pagination: exampleOf(PaginationContract, 'response') },
    });
  return wrapped(list('The items, in the order of the list.', schema), [shown], {
    schema: meta('About the list.', { cursor: ref(titleOf(CursorContract)) }),
    example: { cursor: exampleOf(CursorContract, 'response') },
  });
}

interface Meta {
  schema: Schema;
  example?: unknown;
  isOptional?: boolean;
}

/** `{"data": …, "meta": …}`. */
function wrapped(data: Schema, example: unknown, about?: Meta): Response['content'] {
  const schema: Schema = {
    type: 'object',
    properties: { data, ...(about && { meta: about.schema }) },
    required: about && !about.isOptional ? ['data', 'meta'] : ['data'],
  };
  return {
    'application/json': {
      schema,
      example: { data: example, ...(about?.example !== undefined && { meta: about.example }) },
    },
  };
}

function meta(description: string, properties: Record<string, Schema>): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}
