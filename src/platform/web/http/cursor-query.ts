import type { FieldOptions } from '../contract/field.js';
import { FieldOf, QueryInteger } from '../contract/fields.js';
import { CURSOR } from '../contract/json-schema.js';
import { parsed } from '../contract/rules.js';
import { CursorPage } from './cursor-page.js';
import { formatPlace, NEWEST, parsePlace, type Place } from './keyset-cursor.pure.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

/** What the cursor of any list must be. */
const CURSOR_FORM = 'be a cursor that this endpoint returned';

/** A cursor. @param parse reads what its endpoint made it of; null: it is that of another list */
export function CursorField(
  parse: (text: string) => object | bigint | null,
  options: FieldOptions,
): PropertyDecorator {
  return FieldOf({ schema: () => CURSOR, isCursor: true, ...parsed(parse, CURSOR_FORM) }, options);
}

/** `limit` of lists with a cursor (specification/conventions.md#pagination). */
export class LimitQuery {
  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    component: 'Limit',
    about: 'How many items at most.',
  })
  limit = DEFAULT_LIMIT;
}

/** The query parameters of a list by time, newest first, with a cursor; lists with filters extend it. */
export class CursorQuery extends LimitQuery {
  @CursorField(parsePlace, {
    optional: true,
    component: 'After',
    about: '`meta.cursor.next` of the page before, with the same filters; without it, the newest items.',
  })
  after: Place = NEWEST;
}

/**
 * The page of a list that runs backwards in time.
 * @param found one item more than the limit shows that there are more
 */
export function pageBackwards<Found extends Place, Item>(
  found: readonly Found[],
  { after, limit }: CursorQuery,
  present: (item: Found) => Item,
): CursorPage<Item> {
  const items = found.slice(0, limit);
  return new CursorPage(items.map(present), {
    next: formatPlace(items.at(-1) ?? after),
    hasMore: found.length > limit,
  });
}
