import type { MessageFormatElement } from 'react-intl';
import type { Locale } from './locales.pure.js';

/** Parsed by scripts/build-dashboard.mjs. */
export type Messages = Record<string, MessageFormatElement[]>;

const FILES = import.meta.glob<{ default: Messages }>('../../messages/dashboard/*.json');

/** The messages of one language; the others are never loaded. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const load = FILES[`../../messages/dashboard/${locale}.json`];
  if (!load) throw new Error(`no messages of ${locale}`);
  return (await load()).default;
}
