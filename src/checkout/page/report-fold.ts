import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { notice, type Tone, transactionHash } from '../../platform/web/html/page-elements.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { ReportedState } from '../../payments/transfers/reported-transaction.pure.js';
import type { CheckoutStatusContract } from '../checkout.contract.js';
import { contactShop, type PaymentView, progressOf } from './screen.js';

type Reported = CheckoutStatusContract['reportedTransactions'][number];

const STATES = {
  SEARCHING: { tone: 'calm', words: 'report.searching' },
  UNKNOWN: { tone: 'calm', words: 'report.unknown' },
  WAITING: { tone: 'calm', words: 'report.waiting' },
  FOUND: { tone: 'good', words: 'report.found' },
  FAILED: { tone: 'warn', words: 'report.failed' },
  OTHER_ADDRESS: { tone: 'warn', words: 'report.other-address' },
  UNLISTED_TOKEN: { tone: 'warn', words: 'report.unlisted-token' },
  NOT_FOUND: { tone: 'warn', words: 'report.not-found' },
} as const satisfies Record<ReportedState, { tone: Tone; words: MessageKey }>;

const PROBLEM = 'report-problem';
const NOTE = 'report-note';

/**
 * "Something went wrong?", at the foot of a screen: for a customer who has paid and does not see it
 * (specification/checkout.md#already-paid) what was found so far and the form that has a transaction looked for, once the
 * payment has an address; and for everything else whom to write to, with the reference. Once something is looked for, also
 * by a wallet of the browser and without any trouble, the box is named after that and stands open.
 */
export function reportFold(view: PaymentView): Html {
  const { texts, report } = view;
  const isPayable = report.networks.length > 0;
  const found = isPayable ? results(view) : [];
  const isSearch = found.length > 0;
  const open = isPayable && (isSearch || report.paid !== null) ? markup` open` : null;
  return markup`<details class="fold" id="fold-report"${open}><summary>${texts.text(isSearch ? 'report.heading' : 'help.heading')}</summary>
    ${found}${isPayable ? form(view, isSearch) : null}<p>${contactShop(view)}</p></details>`;
}

/** What was found, for screen readers; empty if nothing was reported. */
export function reportWords(view: PaymentView): string {
  if (view.report.networks.length === 0) return '';
  const { paid } = view.report;
  const problem = paid === null ? null : problemKey(paid);
  const last = view.status.reportedTransactions.at(-1);
  return [problem && view.texts.text(problem), last && stateWords(view, last)].filter(Boolean).join(' ');
}

function results(view: PaymentView): Html[] {
  return view.status.reportedTransactions.map((reported) => {
    const { explorerUrl = null } = findTransaction(view, reported) ?? {};
    return notice(
      STATES[reported.state].tone,
      markup`<p><strong>${wordsOf(view, reported)}</strong></p>
      ${view.access === 'state' ? null : markup`<p>${transactionHash(view.texts, reported.txHash, explorerUrl)}</p>`}`,
    );
  });
}

function stateWords({ texts, report }: PaymentView, reported: Reported): string {
  const network = report.networks.find(({ slug }) => slug === reported.provider)?.name;
  return texts.text(STATES[reported.state].words, { network: network ?? reported.provider });
}

/** With the confirmations, once there are some to tell; they are not said, because every block changes them. */
function wordsOf(view: PaymentView, reported: Reported): string {
  const { texts } = view;
  const words = stateWords(view, reported);
  const transaction = findTransaction(view, reported);
  return transaction ? `${words} ${progressOf(texts, transaction)}` : words;
}

function findTransaction({ transactions }: PaymentView, { state, txHash }: Reported) {
  return state === 'FOUND' ? transactions.find((one) => one.txHash === txHash) : undefined;
}

function problemKey(paid: string): MessageKey | null {
  if (paid === 'malformed') return 'report.problem.malformed';
  return paid === 'too_many' ? 'report.problem.too-many' : null;
}

function form(view: PaymentView, isNamed: boolean): Html {
  const { texts, report, status } = view;
  const problem = report.paid === null ? null : problemKey(report.paid);
  const remark =
    problem &&
    markup`<p class="problem" id="${PROBLEM}"><strong>${texts.text(problem)}</strong>${report.paid === 'too_many' ? markup` ${contactShop(view)}` : null}</p>`;
  const described = problem ? `${PROBLEM} ${NOTE}` : NOTE;
  // Relative to the page, so that it works behind any proxy.
  const action = `${status.id}/transaction${view.link({})}`;
  return markup`<p id="${NOTE}">${isNamed ? null : markup`<strong>${texts.text('report.heading')}</strong><br>`}${texts.text('report.text')}</p>
    ${report.paid === null ? still(view) : null}
    <form class="report" method="post" action="${action}">${remark}
      <label for="report-id">${texts.text('report.label')}</label>
      <input id="report-id" name="txHash" type="text" required maxlength="500" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" dir="ltr" aria-describedby="${described}"${problem ? markup` aria-invalid="true"` : null}>
      ${networkChoice(view)}
      <button class="button plain">${texts.text('report.submit')}</button>
    </form>`;
}

/** Without JavaScript the page reloads itself, which would take away what is entered. */
function still({ texts, link }: PaymentView): Html {
  return markup`<noscript><p><a class="link" href="${link({ paid: '1' })}#fold-report">${texts.text('report.keep-still')}</a></p></noscript>`;
}

function networkChoice({ texts, report: { networks } }: PaymentView): Html {
  const [first] = networks;
  if (networks.length === 1)
    return markup`<input type="hidden" name="provider" value="${first?.slug ?? ''}">`;
  const options = networks.map(({ slug, name }) => markup`<option value="${slug}">${name}</option>`);
  return markup`<label for="report-network">${texts.text('report.network')}</label>
      <select id="report-network" name="provider">${options}</select>`;
}
