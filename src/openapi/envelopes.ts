import { titleOf } from '../platform/web/contract/contract.js';
import { list, ref, type Schema, type Schemas } from '../platform/web/contract/json-schema.js';
import type { ResponseBody } from '../platform/web/contract/operation.js';
import { CursorContract, PaginationContract } from '../platform/web/http/pagination.contract.js';

/** How a form wraps its items. */
interface Form {
  /** Follows the title of the item in the name under `components.schemas`. */
  suffix: string;
  about: string;
  meta?: { name: keyof typeof META; isOptional?: true };
}

const FORMS: Partial<Record<ResponseBody['form'], Form>> = {
  page: { suffix: 'Page', about: 'The items of this page.', meta: { name: 'PageMeta' } },
  'list-or-page': {
    suffix: 'ListOrPage',
    about: 'The items; `meta` is present when a page was requested.',
    meta: { name: 'PageMeta', isOptional: true },
  },
  'cursor-page': {
    suffix: 'CursorPage',
    about: 'The items, in the order of the list.',
    meta: { name: 'CursorMeta' },
  },
};
const LIST: Form = { suffix: 'List', about: 'The items.' };

const META = {
  PageMeta: () => meta('About the page.', { pagination: ref(titleOf(PaginationContract)) }),
  CursorMeta: () => meta('About the list.', { cursor: ref(titleOf(CursorContract)) }),
};

/** A schema with the names that it has, and needs, under `components.schemas`. */
interface Envelope {
  name: string;
  schemas: Schemas;
}

/**
 * `{"data": …, "meta": …}` around an item, under one name for all operations that return it: generated clients make one
 * type of it, not one for each operation. Null: the body is not wrapped.
 */
export function envelopeOf({ form, item, isList }: ResponseBody): Envelope | null {
  const wraps = form === 'data' && isList ? LIST : FORMS[form];
  if (!item || (form !== 'data' && !wraps)) return null;
  const title = titleOf(item);
  if (!wraps) return envelope(`${title}Data`, { data: ref(title) });
  const data = list(wraps.about, ref(title));
  if (!wraps.meta) return envelope(title + wraps.suffix, { data });
  const { name, isOptional } = wraps.meta;
  const { schemas, ...named } = envelope(
    title + wraps.suffix,
    { data, meta: ref(name) },
    isOptional && ['data'],
  );
  return { ...named, schemas: { ...schemas, [name]: META[name]() } };
}

function envelope(
  name: string,
  properties: Schemas,
  required: readonly string[] = Object.keys(properties),
): Envelope {
  return { name, schemas: { [name]: { type: 'object', title: name, properties, required } } };
}

function meta(description: string, properties: Record<string, Schema>): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}
