import type { MessageFormatElement } from 'react-intl';

/** Parsed by scripts/build-dashboard.mjs. */
export type Messages = Record<string, MessageFormatElement[]>;

/** Those of the page's language, which the gateway has written into it (src/dashboard/dashboard-files.service.ts). */
export function readMessages(): Messages {
  const text = document.getElementById('messages')?.textContent;
  if (!text) throw new Error('no #messages');
  return JSON.parse(text) as Messages;
}

/** A message without values, before there is a page that could show others. */
export function plainText(message: MessageFormatElement[] = []): string {
  return message.map((piece) => ('value' in piece ? piece.value : '')).join('');
}
