/** A value of a column that can be authenticated. */
export type FieldValue =
  string | number | bigint | boolean | Date | Buffer | readonly string[] | object | null;

/**
 * The text of a column's value for a MAC. Two values of one column have the same text only if they are equal; JSON has
 * its keys in order, because Postgres keeps neither their order nor the white space between them.
 */
export function fieldText(value: FieldValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return dateText(value);
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return typeof value === 'object' ? JSON.stringify(inOrder(value)) : String(value);
}

/** A year that Postgres knows and JavaScript does not is invalid here, and equal to no time that was authenticated. */
function dateText(value: Date): string {
  return Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString();
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  // As JSON has it; Postgres returns the text.
  if (value instanceof Date) return value.toJSON();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, inOrder(inner)]),
  );
}
