import type { PageLocale } from './locale.pure.js';

/** After these, Japanese and Chinese have no space: the sign itself is as wide as two. Tags may stand between. */
const AFTER_FULL_STOP = /([。！？](?:<\/[a-z]+>)*)[ \n]+(?=(?:<(?:strong|span|bdi|a)[ >]|[^\s<]))/g;

/** Sentences are joined by spaces, which only some languages have. @param html a page, or a part of it */
export function joinSentences(locale: PageLocale, html: string): string {
  return locale === 'ja' || locale === 'zh-Hans' ? html.replaceAll(AFTER_FULL_STOP, '$1') : html;
}
