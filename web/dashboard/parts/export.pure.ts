import type { MessageKey } from '../i18n/message-key.pure.js';

/** The files that there are of a list, the usual one first. */
export const FILE_FORMATS = {
  xlsx: { word: 'export.xlsx', ending: 'xlsx', isForPeople: true },
  sheet: { word: 'export.csv', ending: 'csv', isForPeople: true },
  csv: { word: 'export.csv-programs', ending: 'csv', isForPeople: false },
  jsonl: { word: 'export.jsonl', ending: 'jsonl', isForPeople: false },
} as const satisfies Record<string, { word: MessageKey; ending: string; isForPeople: boolean }>;

/** What of the file is not a filter. */
export function fileQuery(format: keyof typeof FILE_FORMATS, locale: string, timeZone: string): object {
  const { ending, isForPeople } = FILE_FORMATS[format];
  return isForPeople ? { format: ending, locale, timeZone } : { format: ending };
}

/** The form that the API takes: language, script and region. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** A language with the region in which the reader's browser writes it: German of Austria writes other amounts. */
export function readersLocale(language: string, accepted: readonly string[]): string {
  const { language: wanted } = new Intl.Locale(language);
  const isOwn = (tag: string) => TAG.test(tag) && new Intl.Locale(tag).language === wanted;
  const own = accepted.find(isOwn);
  // A script that was chosen is not undone by a region of another.
  return own !== undefined && scriptOf(own) === scriptOf(language) ? own : language;
}

const scriptOf = (tag: string) => new Intl.Locale(tag).maximize().script;
