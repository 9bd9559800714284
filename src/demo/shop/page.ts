import { type Html, Html as Markup, markup } from '../../platform/kernel/markup.pure.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { webAsset } from '../../platform/web/html/web-asset.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';

/** A page of the development profile, for developers: in English only. */
export interface DemoPage {
  status?: number;
  title: string;
  main: Html;
  /** Origins that forms may lead to, besides the page's own. */
  formTargets?: string[];
  /** The origin that is shown in a frame. */
  framed?: string;
  /** Whether the script of the shop runs. */
  hasScript?: boolean;
}

export const SCRIPT_PATH = '/assets/sandbox.js';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E" +
  "%3Cpath d='M4 8h13v7a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zm13 1h2a2 2 0 0 1 0 5h-2' fill='none' stroke='%23a0633a' stroke-width='2'/%3E%3C/svg%3E";

export function demoPage(page: DemoPage): RenderedPage {
  const style = webAsset('sandbox.css');
  const { framed, formTargets = [], hasScript = false } = page;
  const policy = [
    "default-src 'none'",
    `script-src ${hasScript ? "'self'" : "'none'"}`,
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    'img-src data:',
    `connect-src ${hasScript ? "'self'" : "'none'"}`,
    ...(framed === undefined ? [] : [`frame-src ${framed}`]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${page.title}</title>
<link rel="icon" href="${ICON}">
${hasScript ? markup`<script src="${SCRIPT_PATH}" defer></script>` : null}
<style>${new Markup(style)}</style>
</head>
<body>
${page.main}
<footer><p>Development profile: play money on chains of this machine. None of this exists in production.</p></footer>
<p id="news" role="status" class="unseen"></p>
</body>
</html>
`;
  return {
    status: page.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'X-Frame-Options': 'DENY',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // Not "no-referrer": forms would then be posted with "Origin: null", which the origin check refuses.
      'Referrer-Policy': 'strict-origin',
    },
    body: text,
  };
}
