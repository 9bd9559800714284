import type pg from 'pg';
import { placeSql } from '../../src/payments/event-place.pure.js';
import { parseExact, stringifyExact } from '../../src/platform/kernel/exact-json.pure.js';

/** An event as the database has it. */
export interface StoredBody {
  id: string;
  paymentId: string;
  /** Among the events of its payment. */
  place: number;
  body: string;
  isSuperseded: boolean;
}
type Get = (path: string) => Promise<{ text: string }>;

interface FeedPage {
  data: { id: string }[];
  meta: { cursor: { next: string; hasMore: boolean } };
}

/** The bodies of the feed after a cursor, as their bytes came, and the cursor behind them. */
export async function readFeed(
  get: Get,
  limit: number,
  after: string | null = null,
): Promise<{ bodies: string[]; next: string | null }> {
  const bodies: string[] = [];
  let next = after;
  for (;;) {
    const cursor = next === null ? '' : `&after=${encodeURIComponent(next)}`;
    const { text } = await get(`/api/events?limit=${limit}${cursor}`);
    const { data, meta } = parseExact(text) as FeedPage;
    const page = data.map((event) => stringifyExact(event));
    if (!text.startsWith(`{"data":[${page.join(',')}]`))
      throw new Error('a page of the feed is not made of the events alone');
    bodies.push(...page);
    next = meta.cursor.next;
    if (!meta.cursor.hasMore) return { bodies, next };
  }
}

/** Of all events of a deployment, those of test events excepted. */
export async function readBodies(db: pg.Pool): Promise<StoredBody[]> {
  const { rows } = await db.query<StoredBody>(
    `select id, payment_id as "paymentId", ${placeSql('e')} as place, body, superseded_at is not null as "isSuperseded"
     from payment_events e where payment_id is not null`,
  );
  return rows;
}

/**
 * Every difference between a feed and the rule of specification/events.md#feed: what was read stays at its place with its
 * bytes, whatever comes later; each payment's events are in the order of its transitions, as they are stored; none is twice.
 * @param before what was read earlier, from the beginning
 */
export function checkFeed(
  before: readonly string[],
  now: readonly string[],
  stored: readonly StoredBody[],
): string[] {
  const known = new Map(stored.map((event) => [event.id, event]));
  const ids = now.map(idOf);
  const places = new Map(ids.map((id, place) => [id, place]));
  const moved = before.flatMap((body, place) => {
    if (now[place] === body) return [];
    const id = idOf(body);
    const at = places.get(id);
    const what = at === undefined ? 'vanished' : at === place ? 'has other bytes' : `moved to place ${at}`;
    return [`the feed: ${describe(body)}, which was read at place ${place}, ${what}`];
  });
  const lastOf = new Map<string, number>();
  const strange = now.flatMap((body, place) => {
    const event = known.get(ids[place] ?? '');
    if (!event) return [`the feed: ${describe(body)} is not stored`];
    const last = lastOf.get(event.paymentId) ?? 0;
    lastOf.set(event.paymentId, event.place);
    return [
      ...(event.body === body ? [] : [`the feed: ${describe(body)} differs from what is stored`]),
      ...(event.place > last ? [] : [`the feed: ${describe(body)} comes after a later event of its payment`]),
    ];
  });
  const missing = stored
    .filter(({ id, isSuperseded }) => !isSuperseded && !places.has(id))
    .map(({ body }) => `the feed: ${describe(body)} is not in it`);
  // What one event that is gone moves is said once.
  const vanished = moved.filter((text) => text.endsWith('vanished'));
  return [...(vanished.length > 0 ? vanished : moved), ...strange, ...missing];
}

function idOf(body: string): string {
  return (parseExact(body) as { id: string }).id;
}

function describe(body: string): string {
  const { id, event, payment } = parseExact(body) as { id: string; event: string; payment: { id: string } };
  return `${event} ${id} of payment ${payment.id}`;
}
