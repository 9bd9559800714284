import type { PaymentListItem } from '../../../sdk/src/api-types.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { row } from '../../platform/web/html/page-elements.js';
import type { ShopFacts } from './coffee-shop.js';
import { demoPage } from './page.js';
import { type Snippet, snippetsOf } from './snippets.pure.js';

/** "I am the shop": the code that creates a payment, and the orders as they come. */
export function shopPage(facts: ShopFacts, reference: string, orders: PaymentListItem[]): RenderedPage {
  const { baseUrl: gatewayUrl, shop, oauth, user } = facts;
  const { clientToken, clientId } = shop;
  const snippets = snippetsOf({ gatewayUrl, clientToken, clientId, reference });
  const main = markup`<main class="narrow" data-screen="shop">
<nav><a href="${gatewayUrl}/">Welcome</a></nav>
<h1>I am the shop</h1>
<p class="lead">Copy these nine lines into a terminal. They carry the shop’s real token, so they work as they are.</p>
${snippets.map(snippetOf)}
<h2>Orders</h2>
<div id="live" data-source="/orders">${ordersPart(orders)}</div>
<noscript><p><a href="/">Reload</a> to see what is new.</p></noscript>
<form method="post" action="/orders" class="buttons"><button class="button plain">Buy a coffee</button>
<button class="button plain" name="short" value="1">Order with a link that soon expires</button></form>
<h2>Sign-in</h2>
<dl class="facts">
${row('Demo user', markup`<code>${user.email}</code> / <code>${user.password}</code>`)}
${row('Client token', markup`<code>${clientToken}</code>`)}
${row('OAuth2 token', markup`<code>curl -s ${oauth.tokenUrl} -u ${oauth.clientId}:${oauth.clientSecret} -d grant_type=client_credentials</code>`)}
${row('All operations', markup`<a href="${gatewayUrl}/api/docs">API documentation</a>`)}
</dl>
</main>`;
  return demoPage({ title: 'I am the shop', main, hasScript: true });
}

/** What changes on the page; fetched by itself by the script. */
export function ordersPart(orders: PaymentListItem[]): Html {
  const [latest] = orders;
  if (!latest) return markup`<p class="soft">None yet. Run the nine lines, or buy a coffee.</p>`;
  const items = orders.map(
    ({ id, reference, referenceLabel, amount, status }) =>
      markup`<li><a href="/orders/${id}">${reference}</a> ${referenceLabel}, ${amount.formatted} <code>${status}</code></li>`,
  );
  return markup`<ul class="events" data-news="The newest order is ${latest.reference}, ${latest.status}.">${items}</ul>`;
}

/** Without a script, all three are open to read and to copy by hand. */
function snippetOf({ id, name, code }: Snippet): Html {
  return markup`<details name="snippets"${id === 'curl' ? markup` open` : null}>
<summary>${name}</summary>
<pre tabindex="0" aria-label="${name}"><code id="${id}">${code}</code></pre>
<button class="button plain copy" type="button" data-copy="${id}" data-done="Copied" hidden>Copy</button>
</details>`;
}
