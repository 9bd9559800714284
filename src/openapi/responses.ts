import { exampleOf, titleOf } from '../platform/web/contract/contract.js';
import { header, LIMITED } from '../platform/web/contract/headers.js';
import { ref } from '../platform/web/contract/json-schema.js';
import type { Response } from '../platform/web/contract/openapi-types.js';
import type { ResponseBody } from '../platform/web/contract/operation.js';
import { CursorContract, PaginationContract } from '../platform/web/http/pagination.contract.js';
import { envelopeOf } from './envelopes.js';

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

function contentOf(body: ResponseBody): Response['content'] {
  const { form, item, isList, example, contents = {} } = body;
  if (form === 'plain')
    return Object.fromEntries(Object.entries(contents).map(([type, schema]) => [type, { schema }]));
  if (!item) return undefined;
  const shown = { ...exampleOf(item, 'response'), ...example };
  const envelope = envelopeOf(body);
  if (!envelope) return { 'application/json': { schema: ref(titleOf(item)), example: shown } };
  const data = form === 'data' && !isList ? shown : [shown];
  const meta = META_EXAMPLES[form]?.();
  return { 'application/json': { schema: ref(envelope.name), example: { data, ...(meta && { meta }) } } };
}

const META_EXAMPLES: Partial<Record<ResponseBody['form'], () => object>> = {
  page: () => ({ pagination: exampleOf(PaginationContract, 'response') }),
  'cursor-page': () => ({ cursor: exampleOf(CursorContract, 'response') }),
};
