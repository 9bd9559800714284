/** A text of the dashboard; en.json has all of them (scripts/check-messages.mjs). */
export type MessageKey = keyof typeof import('../../messages/dashboard/en.json', { with: { type: 'json' } });

export type TextValues = Readonly<Record<string, string | number>>;

/** A text that a decision chose, in no language yet. */
export interface Message {
  key: MessageKey;
  values?: TextValues;
}
