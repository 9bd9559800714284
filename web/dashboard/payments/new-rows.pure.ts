/**
 * Rows of a refreshed list that were not there when it was first shown. They wait behind a button, so that nothing moves
 * under the pointer.
 * @param top the first row that is shown; null: the list was empty
 */
export function splitNew<Row extends { id: string }>(
  rows: readonly Row[],
  top: string | null,
): { fresh: number; shown: readonly Row[] } {
  const at = top === null ? -1 : rows.findIndex(({ id }) => id === top);
  return at <= 0 ? { fresh: 0, shown: rows } : { fresh: at, shown: rows.slice(at) };
}
