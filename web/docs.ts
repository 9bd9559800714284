/** Starts Swagger UI; a file of its own, because the policy forbids scripts in the page. */

interface SwaggerOptions {
  url: string;
  dom_id: string;
  deepLinking: boolean;
  defaultModelsExpandDepth: number;
  displayRequestDuration: boolean;
  docExpansion: 'list' | 'full' | 'none';
  filter: boolean;
  requestInterceptor: (request: { url: string }) => { url: string };
  validatorUrl: string | null;
}
/** A global of swagger-ui-bundle.js. */
declare const SwaggerUIBundle: (options: SwaggerOptions) => void;

window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // With all operations unfolded, the page shows none of them once there are more than about 130.
    docExpansion: 'none',
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
