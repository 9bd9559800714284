/** The place of an item in a list that is ordered by time, then by id. */
export interface Place {
  at: Date;
  id: string;
}

/** Lists that run backwards in time begin before every item. */
export const NEWEST: Place = {
  at: new Date(253_402_300_799_999),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** And end after every item. */
export const OLDEST: Place = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** The format may change, but cursors of before must remain readable. */
const TEXT = /^t(0|[1-9][0-9]{0,15})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

export function formatPlace({ at, id }: Place): string {
  return `t${at.getTime()}.${id}`;
}

/** Null if {@link formatPlace} did not make it. */
export function parsePlace(text: string): Place | null {
  const [, milliseconds, id] = TEXT.exec(text) ?? [];
  if (milliseconds === undefined || id === undefined) return null;
  const place = { at: new Date(Number(milliseconds)), id };
  // Of a time beyond every date, it is none: no comparison holds.
  return place.at <= NEWEST.at ? place : null;
}
