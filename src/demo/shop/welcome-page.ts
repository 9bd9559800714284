import { markup } from '../../platform/kernel/markup.pure.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { demoPage } from './page.js';

/** What the welcome page leads to. */
export interface WelcomeLinks {
  gatewayUrl: string;
  /** Of the demo shop. */
  shopUrl: string;
}

/** The gateway's front page in the development profile. */
export function welcomePage({ gatewayUrl, shopUrl }: WelcomeLinks): RenderedPage {
  const main = markup`<main class="narrow" data-screen="welcome">
<h1>Welcome</h1>
<p class="lead">A shop that sells coffee runs here, with play money.</p>
<div class="doors">
<form method="post" action="${shopUrl}/orders">
<h2>See what a customer sees</h2>
<p>Pay $25.00 on a chain of this machine, and watch the shop’s desk beside it. Then break something.</p>
<button class="button">Buy a coffee</button>
</form>
<div>
<h2>See what your server does</h2>
<p>Nine lines create a payment. The order appears while your terminal still shows the answer.</p>
<a class="button plain" href="${shopUrl}/">I am the shop</a>
</div>
</div>
<p class="soft">Customers pay straight into the shop’s own wallet: the gateway holds no keys and no money.</p>
<ul class="links">
<li><a href="${gatewayUrl}/api/docs">API documentation</a></li>
<li><a href="${gatewayUrl}/api/openapi.json">OpenAPI 3.1 document</a></li>
<li><a href="${gatewayUrl}/api/health/ready">Is the gateway ready?</a></li>
</ul>
</main>`;
  return demoPage({ title: 'Welcome', main, formTargets: [shopUrl] });
}
