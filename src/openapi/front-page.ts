import { type Html, markup } from '../platform/kernel/markup.pure.js';
import { renderDocument, type RenderedPage } from '../platform/web/html/page-document.js';
import { textsOf } from '../platform/kernel/i18n/texts.js';
import { heading, notice, row } from '../platform/web/html/page-elements.js';
import { DOCS_PATH } from './docs-page.js';

/** The content of the page. */
export interface FrontPage {
  /** Of the gateway, without a slash at its end. */
  baseUrl: string;
  version: string;
  isDevelopment: boolean;
}

const TITLE = 'Crypto payment gateway';
const PROMISE =
  'Customers pay straight into the shop’s own wallet: this gateway holds no keys and no money. Shops send their customers here by a signed link.';

/** The page at `/`: what this is, and where to go. */
export function frontPage(page: FrontPage): RenderedPage {
  const { baseUrl, version, isDevelopment } = page;
  const link = (path: string, text: string) => markup`<a href="${baseUrl}${path}">${text}</a>`;
  const main = markup`<main data-screen="front">
${heading('plain', TITLE)}
<p>This is a self-hosted service that takes payments in cryptocurrencies for shops.</p>
${isDevelopment ? developmentNotice() : null}
<dl class="facts">
${row('Dashboard', link('/dashboard', 'Sign in: payments, applications, tokens'))}
${row('API documentation', link(DOCS_PATH, 'Read and try every operation'))}
${row('OpenAPI 3.1 document', link('/api/openapi.json', 'openapi.json'))}
${row('Health', link('/api/health/ready', 'Is the gateway ready?'))}
${row('Guides', markup`<code>README.md</code> and <code>docs/</code> in the source code of version ${version}`)}
</dl>
<p class="soft">Did you want to pay? Please open the payment from the shop again.</p>
</main>`;
  return renderDocument({
    status: 200,
    texts: textsOf('en'),
    title: TITLE,
    header: null,
    main,
    promise: PROMISE,
    subject: null,
    script: null,
    siteUrl: null,
    languageLink: null,
    isReloading: false,
  });
}

function developmentNotice(): Html {
  return notice(
    'good',
    markup`<p><strong>Development profile: no real money.</strong> <code>npm start</code> printed the tokens and the
      sign-in.</p>`,
  );
}
