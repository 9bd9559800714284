/** More than a payment can have of payment.updated. */
const PLACES = 1_000;

/** The order of the events of a payment; {@link placeSql} is the same in SQL. */
export function placeOf({ seq, place }: { seq: number | null; place: number | null }): number {
  return place ?? (seq ?? 0) * PLACES;
}

/** {@link placeOf} of a row of events or deliveries. @param alias of its table */
export const placeSql = (alias: string): string => `coalesce(${alias}.place, ${alias}.seq * ${PLACES})`;

/** The move behind which a payment.updated has its place, and its number among those of the payment. */
export function partsOfPlace(place: number): { seq: number; number: number } {
  return { seq: Math.floor(place / PLACES), number: place % PLACES };
}
