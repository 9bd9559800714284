import { Html, markup } from '../platform/html/markup.pure.js';

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

/** Starts Swagger UI; a file of its own, because the policy forbids scripts in the page. */
export const START_SCRIPT = `window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    filter: true,
    // The document names the public address; the page may have been opened by another name of this gateway.
    requestInterceptor: (request) => {
      const { pathname, search } = new URL(request.url, location.href);
      request.url = location.origin + pathname + search;
      return request;
    },
    // It would ask a foreign server whether the document is valid.
    validatorUrl: null,
  });
});
`;

/** Its style sheet, for the same reason. */
export const PAGE_STYLE = `body { margin: 0; background: #fff; }
noscript { display: block; max-width: 60rem; margin: 1rem auto; padding: 0 1.25rem; font-family: sans-serif; }
`;
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
