import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { notice, row, unbrokenNames } from '../../platform/web/html/page-elements.js';
import type { DeskView, LogLine } from './coffee-shop.js';
import { type OrderAction, orderWords } from './order-words.pure.js';
import { demoPage } from './page.js';
import type { ReceivedWebhook } from './webhook-inbox.js';
import { BLOCKS_TAKEN_BACK, SANDBOX_ACTIONS } from './sandbox.js';

/** The customer's page and the shop's desk side by side, and the sandbox below. */
export function orderPage(view: DeskView): RenderedPage {
  const { payment } = view;
  const main = markup`<main data-screen="order">
<nav><a href="/">All orders of the shop</a></nav>
<h1>${unbrokenNames(`Order ${payment.reference}`)}</h1>
<div class="panes">
<section aria-labelledby="customer">
<h2 id="customer">The customer sees</h2>
<iframe title="Checkout of the customer" src="${payment.checkoutUrl}"></iframe>
</section>
<section aria-labelledby="shop">
<h2 id="shop">The shop’s desk</h2>
<div id="live" data-source="/orders/${payment.id}/desk">${deskPart(view)}</div>
<noscript><p><a href="/orders/${payment.id}">Reload</a> to see what is new.</p></noscript>
</section>
</div>
</main>`;
  const { origin } = new URL(payment.checkoutUrl);
  return demoPage({ title: `Order ${payment.reference}`, main, framed: origin, hasScript: true });
}

/** What changes on the page; fetched by itself by the script. */
export function deskPart({ payment, webhooks, log }: DeskView): Html {
  const words = orderWords(payment);
  const remark = markup`<p data-news="${words.state}. ${words.why}"><strong>${words.state}</strong></p><p>${words.why}</p>`;
  return markup`${notice(words.tone, remark)}
<dl class="facts">
${row('Price', payment.amount.formatted)}
${row('Seen', words.seen)}
${row('Final', payment.receivedAmount.formatted)}
${row('Status in the API', markup`<code>${payment.status}</code>`)}
</dl>
${words.actions.length > 0 ? markup`<div class="buttons">${words.actions.map((one) => actionForm(payment.id, one))}</div>` : null}
${webhookList(webhooks)}
<section class="drawer" aria-labelledby="sandbox">
<h3 id="sandbox">Sandbox</h3>
<p class="soft">Play the customer and the chain. “Take ${String(BLOCKS_TAKEN_BACK)} blocks back” is what a reorganization does: nothing is lost.</p>
<div class="buttons">${sandboxButtons(payment.id, words.isPartlyPaid)}</div>
${logList(log)}
</section>`;
}

function actionForm(id: string, { path, label, transferId }: OrderAction): Html {
  const transfer =
    transferId === null ? null : markup`<input type="hidden" name="transferId" value="${transferId}">`;
  return markup`<form method="post" action="/orders/${id}/${path}">${transfer}<button class="button">${label}</button></form>`;
}

function sandboxButtons(id: string, isPartlyPaid: boolean): Html[] {
  return Object.entries(SANDBOX_ACTIONS).map(([action, label]) => {
    const shown = action === 'exact' && isPartlyPaid ? 'Pay the rest' : label;
    return markup`<form method="post" action="/orders/${id}/sandbox/${action}"><button class="button plain">${shown}</button></form>`;
  });
}

function webhookList(webhooks: readonly ReceivedWebhook[]): Html {
  if (webhooks.length === 0)
    return markup`<h3>Webhooks</h3><p class="soft">None yet. The first comes when the payment is seen.</p>`;
  const rows = webhooks.map(
    ({ event, status, remark }) =>
      markup`<li><code>${event}</code> <span class="good">✓ ${String(status)}, ${remark}</span></li>`,
  );
  return markup`<h3>Webhooks</h3><ul class="events">${rows}</ul>`;
}

function logList(log: readonly LogLine[]): Html | null {
  const [last, ...older] = log;
  if (!last) return null;
  return markup`<p class="done" data-news="${last.text}">${lineOf(last)}</p>
${older.length > 0 ? markup`<ul class="soft">${older.map((line) => markup`<li>${lineOf(line)}</li>`)}</ul>` : null}`;
}

function lineOf({ text, link }: LogLine): Html {
  return link === null ? markup`${text}` : markup`${text} <a href="${link}">the claim page</a>`;
}
