import { Html, markup } from '../platform/kernel/markup.pure.js';

/** Where the page and its parts are. */
export const DOCS_PATH = '/api/docs';

/**
 * Everything is from here. Swagger UI needs no inline script and no eval; pictures in its style sheet are data
 * URIs, and React sets styles through the DOM, which no policy forbids.
 */
export const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The interactive documentation. */
export function docsPage(): string {
  const path = new Html(DOCS_PATH);
  const { text } = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API documentation</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${path}/swagger-ui.css" />
        <link rel="stylesheet" href="${path}/page.css" />
        <script src="${path}/swagger-ui-bundle.js" defer></script>
        <script src="${path}/start.js" defer></script>
      </head>
      <body>
        <noscript>This page needs JavaScript. The document itself: <a href="/api/openapi.json">openapi.json</a>.</noscript>
        <main id="docs"></main>
      </body>
    </html>`;
  return text;
}
