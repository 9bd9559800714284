/** Why an output is in no PSBT. */
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
] as const;
export type LeftOutReason = (typeof LEFT_OUT)[number];
