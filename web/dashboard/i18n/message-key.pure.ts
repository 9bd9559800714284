/** A text of the dashboard; en.json has all of them (scripts/check-messages.mjs). */
export type MessageKey = keyof typeof import('../../messages/dashboard/en.json', { with: { type: 'json' } });
