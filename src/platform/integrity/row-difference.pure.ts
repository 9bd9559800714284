/** A row that is not as the newest entry of the audit log about it says, or that was put to sleep. */
export interface RowDifference {
  /** `<table> <primary key>`. */
  object: string;
  /** Number of the entry; null: there is none, where there must be one. */
  seq: string | null;
  /** The entry left a row, rather than deleted it. */
  isExpected: boolean;
  isPresent: boolean;
  /** The column by which the row waits for longer than the gateway lets it, and until when; null: it does not. */
  sleeps: string | null;
}

/** What an entry of the audit log says, and what is there, for a person. */
export function describeDifference({ seq, isExpected, isPresent, sleeps }: RowDifference): {
  expected: string;
  found: string;
} {
  if (sleeps !== null) return { expected: 'a time soon to be looked at again', found: sleeps };
  if (seq === null) return { expected: 'an entry of the audit log', found: 'none' };
  const expected = isExpected
    ? `as entry ${seq} of the audit log left it`
    : `deleted, as entry ${seq} of the audit log says`;
  const found = isPresent ? (isExpected ? 'another state of it' : 'a row') : 'no row';
  return { expected, found };
}
