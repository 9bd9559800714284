/** Why an output, or the balance of an address, is in no transaction. */
export const LEFT_OUT = [
  'unconfirmed',
  'immature',
  'spent',
  'unknown',
  'unread',
  'uneconomic',
  'too_little',
  'previous_missing',
  'key_unavailable',
  'below_minimum',
  'refused',
  'of_key',
] as const;
export type LeftOutReason = (typeof LEFT_OUT)[number];
