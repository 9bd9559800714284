/** A row that is not as the newest entry of the audit log about it says. */
export interface RowDifference {
  /** `<table> <primary key>`. */
  object: string;
  /** Number of the entry; null: there is none, where there must be one. */
  seq: string | null;
  /** The entry left a row, rather than deleted it. */
  isExpected: boolean;
  isPresent: boolean;
}

/** What an entry of the audit log says, and what is there, for a person. */
export function describeDifference({ seq, isExpected, isPresent }: RowDifference): {
  expected: string;
  found: string;
} {
  if (seq === null) return { expected: 'an entry of the audit log', found: 'none' };
  const expected = isExpected
    ? `as entry ${seq} of the audit log left it`
    : `deleted, as entry ${seq} of the audit log says`;
  const found = isPresent ? (isExpected ? 'another state of it' : 'a row') : 'no row';
  return { expected, found };
}
