import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { joinSentences } from '../../platform/kernel/i18n/full-stops.pure.js';
import { renderDocument, type RenderedPage } from '../../platform/web/html/page-document.js';
import { brandTheme, initialsTile, logo, shopOrigin, supportAnchor } from './shop-brand.js';
import { money } from '../../platform/web/html/page-elements.js';
import type { PaymentView, Screen } from './screen.js';
import { scriptTexts } from './script-texts.js';

/** Reported, and nothing that pays this payment. */
const UNPAID: readonly string[] = ['FAILED', 'OTHER_ADDRESS', 'NOT_FOUND'];
/** Reported by any window or device, and probably on its way here. Not what no node knows: that may be mistyped. */
const ON_ITS_WAY: readonly string[] = ['SEARCHING', 'WAITING'];

/**
 * The whole page with a screen of a payment.
 * @param isStraight all of its addresses are of the merchant's own wallets, and none of a key of the operator
 */
export function paymentPage(view: PaymentView, screen: Screen, isStraight = false): RenderedPage {
  const { status, texts } = view;
  return renderDocument({
    status: screen.httpStatus ?? 200,
    texts,
    title: documentTitle(view, screen.title),
    header: header(view),
    theme: brandTheme(status.merchantSettings),
    main: mainOf(view, screen),
    promise: [...(isStraight ? [texts.text('page.straight')] : []), texts.text('page.promise')].join(' '),
    support: supportAnchor(status.merchantSettings, texts),
    subject: texts.text('page.payment', { id: status.id }),
    script: 'checkout.js',
    siteUrl: status.merchantSettings.url,
    languageLink: (lang) => view.link({ lang }),
    // Reloading would take away what the customer is about to enter.
    isReloading: view.isFollowed && screen.isReloading && view.report.paid === null,
  });
}

/** The `<main>` of the page alone, which the page's script puts in the place of the old one. */
export function paymentPart(view: PaymentView, screen: Screen): RenderedPage {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      ETag: partTag(view),
    },
    body: joinSentences(view.texts.locale, mainOf(view, screen).text),
  };
}

/** The part is the same as long as the version is. */
export function partTag({ version }: Pick<PaymentView, 'version'>): string {
  return `"${version}"`;
}

function documentTitle({ status }: PaymentView, title: string): string {
  return `${title} · ${status.referenceLabel} · ${status.merchantSettings.title}`;
}

function mainOf(view: PaymentView, screen: Screen): Html {
  const { status, texts } = view;
  const picker = markup`${screen.address === undefined ? null : markup` data-address="${screen.address}"`}${screen.isContinuing ? markup` data-continue` : null}`;
  const ended =
    screen.endedTitle === undefined
      ? null
      : markup` data-ended-title="${documentTitle(view, screen.endedTitle)}" data-ended-screen="${screen.endedName ?? ''}"`;
  const isAlert = screen.isAlert ? markup` data-alert` : null;
  // Relative to the page, whose script adds the page's query: the signature, and what the customer has chosen.
  const live = view.isFollowed
    ? markup` data-version="${view.version}" data-part="${status.id}/part" data-events="${status.id}/events"`
    : null;
  const unpaid = status.reportedTransactions.filter(({ state }) => UNPAID.includes(state));
  // For the script, which does not offer again what a wallet has sent.
  const failed =
    unpaid.length === 0 ? null : markup` data-unpaid="${unpaid.map(({ txHash }) => txHash).join(' ')}"`;
  const isOnItsWay = status.reportedTransactions.some(({ state }) => ON_ITS_WAY.includes(state));
  const onItsWay = isOnItsWay ? markup` data-on-its-way` : null;
  const method = screen.method === undefined ? null : markup` data-method="${screen.method}"`;
  // For wallets of the browser, where the screen says how to pay.
  const known = view.walletNetworks.get(screen.method?.split('/')[0] ?? '');
  const network = known === undefined ? null : markup` data-network="${JSON.stringify(known)}"`;
  const proof = view.proof === null ? null : markup` data-seen="${view.proof}"`;
  return markup`<main data-title="${documentTitle(view, screen.title)}"${ended} data-screen="${screen.name}" data-payment="${status.id}" data-status="${status.status}" data-now="${status.serverTime}"
data-announcement="${screen.announcement}"${isAlert}${picker}${method}${network}${failed}${onItsWay}${live}${proof}${scriptTexts(texts, screen.clock)}>
${screen.body}
</main>`;
}

function header({ status, texts }: PaymentView): Html {
  const { merchantSettings, reference, referenceLabel, amount } = status;
  const { image } = merchantSettings;
  const isNamed = referenceLabel.includes(reference);
  return markup`<header${shopOrigin(merchantSettings)}>
${image === null ? initialsTile(merchantSettings) : null}<div><p class="shop">${logo(merchantSettings) ?? markup`<bdi>${merchantSettings.title}</bdi>`}</p>
<p><bdi>${referenceLabel}</bdi>${isNamed ? null : markup` <span class="soft">(<bdi>${reference}</bdi>)</span>`}</p></div>
<p class="total"><span class="unseen">${texts.text('page.price')} </span>${money(texts, amount)}</p>
</header>`;
}
