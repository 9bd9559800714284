import { randomBytes } from 'node:crypto';
import type { LanguageLink } from '../../kernel/i18n/request-texts.js';
import { joinSentences } from '../../kernel/i18n/full-stops.pure.js';
import type { Texts } from '../../kernel/i18n/texts.js';
import { Html, markup } from '../../kernel/markup.pure.js';
import { languageMenu } from './language-menu.js';
import { contentSecurityPolicy, frameOrigin } from './page-headers.js';
import { hashedName, type PageScript, webAsset } from './web-asset.js';

/** A complete page and the headers that it must be sent with. */
export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface PageDocument {
  status: number;
  /** The language of the page. */
  texts: Texts;
  title: string;
  /** Above `<main>`, the same on every screen. */
  header: Html | null;
  /** Custom properties in place of those of the style sheet. */
  theme?: Html | null;
  /** A whole `<main>` element. */
  main: Html;
  /** Shown under every screen: what the page is for, and what it never asks for. */
  promise: string;
  /** Whom to ask, other than by the screen. */
  support?: Html | null;
  /** The object of the page, for support, e.g. "Payment 550e8400-…". */
  subject: string | null;
  /** The page's own script. */
  script: PageScript | null;
  /** The merchant's website may show the page in a frame. */
  siteUrl: string | null;
  /** For the menu of languages; null: the page has one language. */
  languageLink: LanguageLink | null;
  /** Whether a browser without JavaScript reloads automatically. */
  isReloading: boolean;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E" +
  "%3Ccircle cx='12' cy='12' r='11' fill='%231f1d1a'/%3E" +
  "%3Cpath d='m7.5 12.5 3 3 6-7' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** Relative to `/checkout/{id}` and `/refund/{id}` alike, so that it works behind any proxy. */
function scriptUrl(name: PageScript): string {
  return `../checkout/assets/${hashedName(name)}`;
}

/** The HTML document around a screen. It loads nothing from other origins: no font, no image, no script. */
export function renderDocument(page: PageDocument): RenderedPage {
  const nonce = randomBytes(16).toString('base64url');
  const ancestor = frameOrigin(page.siteUrl);
  const reload = markup`<noscript><meta http-equiv="refresh" content="10"></noscript>`;
  const { text } = markup`<!doctype html>
<html lang="${page.texts.locale}" dir="${page.texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<link rel="icon" href="${ICON}">
${page.isReloading ? reload : null}
${page.script && markup`<script src="${scriptUrl(page.script)}" defer></script>`}
<style nonce="${nonce}">${new Html(webAsset('page.css'))}${page.theme ?? null}</style>
</head>
<body>
<div class="page">
${page.header}
${page.main}
<footer>
<p id="offline" data-back="${page.texts.text('page.online')}" hidden>${page.texts.text('page.offline')}</p>
<p>${page.promise}</p>
${page.support ?? null}
${page.subject && markup`<p>${page.subject}</p>`}
${page.languageLink && languageMenu(page.texts, page.languageLink)}
</footer>
</div>
<p id="status" role="status" class="unseen"></p>
<p id="alert" role="alert" class="unseen"></p>
</body>
</html>
`;
  return {
    status: page.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(nonce, ancestor),
      // The older header cannot name an allowed origin, so it is sent only to forbid all frames.
      ...(ancestor === null && { 'X-Frame-Options': 'DENY' }),
      'Cache-Control': 'no-store',
      'Content-Language': page.texts.locale,
      Vary: 'Accept-Language',
      // The URL contains the signature.
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: joinSentences(page.texts.locale, text),
  };
}
