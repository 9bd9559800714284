import type { AttentionKind } from '../overview/attention.pure.js';
import type { Texts, TextValues } from '../platform/kernel/i18n/texts.js';
import { CAUSES, type NoticeName, NOTICES } from './notice-kinds.pure.js';

/** What a notice says, in no language yet. It holds no secret and no address of a blockchain. */
export interface Said {
  notice: NoticeName;
  /** For its message; a value whose name ends in `At` is a time (RFC 3339). */
  values: TextValues;
  /** Of a digest. */
  counts?: readonly { kind: AttentionKind; count: number }[];
}

/** A notice as somebody reads it. */
export interface Written {
  /** One line. */
  title: string;
  text: string;
  link: string;
}

/** Of a name that a merchant chose. */
const MAX_NAME = 80;

/** A value as a part of one line: names of shops are free texts, and a title is a header of a mail. */
export function oneLine(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  const points = Array.from(line);
  return points.length <= MAX_NAME ? line : `${points.slice(0, MAX_NAME - 1).join('')}…`;
}

/**
 * @param dashboard where the screens of its account are
 * @param link of its own; null: the page that the notice is about
 */
export function writeNotice(said: Said, texts: Texts, dashboard: string, link: string | null): Written {
  const { title, text, page } = NOTICES[said.notice];
  const values = Object.fromEntries(
    Object.entries(said.values).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : name.endsWith('At') ? texts.dateTime(value) : oneLine(value),
    ]),
  );
  const counts = (said.counts ?? []).filter(({ count }) => count > 0);
  return {
    title: texts.text(title, values),
    text: [
      texts.text(text, values),
      ...counts.map(({ kind, count }) => `– ${texts.text(CAUSES[kind])}: ${count}`),
    ].join('\n'),
    link: link ?? `${dashboard}/${page ?? ''}`,
  };
}

/** The body of a mail. */
export function mailText({ text, link }: Written, texts: Texts, baseUrl: string): string {
  return `${text}\n\n${link}\n\n-- \n${texts.text('notice.footer', { host: new URL(baseUrl).host })}\n`;
}

/** The body of a POST, and its content type. JSON where the template is. */
export function fillTemplate(template: string, written: Written): { body: string; contentType: string } {
  const isJson = /^\s*[[{]"/.test(template);
  const shown = (value: string) => (isJson ? JSON.stringify(value).slice(1, -1) : value);
  const body = template.replace(/\{(title|text|link)\}/g, (_whole, name: keyof Written) =>
    shown(written[name]),
  );
  return { body, contentType: isJson ? 'application/json' : 'text/plain; charset=utf-8' };
}
