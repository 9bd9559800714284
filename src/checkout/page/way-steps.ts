import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { instant, notice, shortInstant } from '../../platform/web/html/page-elements.js';
import type { PaymentView } from './screen.js';

const NOTHING_SEEN = { seen: 0, required: 0, delayed: false };
const MINUTE = 60;
/** More blocks than these are one bar. */
const MOST_DRAWN = 40;
const BAR = 1_000;

/** How far a payment has come: sent, seen, confirmed, each with its time where one is known. */
export function waySteps(view: PaymentView): Html {
  const { texts, status } = view;
  const { seen, required, delayed } = status.confirmations ?? NOTHING_SEEN;
  const first = firstSeen(view);
  const words = view.network
    ? texts.html('seen.step-seen-on', { network: markup`<bdi>${view.network}</bdi>` })
    : markup`${texts.text('seen.step-seen')}`;
  const time = first === null ? null : markup` ${shortInstant(texts, first, status.serverTime)}`;
  return markup`<ol class="way">${done(view, markup`${texts.text('seen.step-sent')}`)}${done(view, words, time)}<li class="current" aria-current="step"><span class="dot"></span><strong>${texts.text('seen.step-confirming', { seen, required })}</strong>
    <div class="more">${blocks(seen, required)}${remainingTime(view)}${newestBlock(view)}</div></li></ol>
    ${delayed ? delayedNotice(view) : null}
    <p class="note calm" id="recount" hidden>${texts.text('seen.recounted')}</p>`;
}

/** What is done has a mark besides its color. */
function done({ texts }: PaymentView, words: Html, time: Html | null = null): Html {
  return markup`<li class="done"><span class="dot" aria-hidden="true">✓</span><strong>${words}<span class="unseen"> ${texts.text('seen.step-done')}</span></strong>${time}</li>`;
}

/** When the gateway saw the first of the funds that count; null: whoever looks may not know. */
function firstSeen({ transactions }: PaymentView): string | null {
  const times = transactions
    .filter(({ matched, status }) => matched && (status === 'PENDING' || status === 'CONFIRMED'))
    .map(({ seenAt }) => seenAt);
  return times.toSorted()[0] ?? null;
}

/** The blocks, each as a box; its words stand beside it. */
function blocks(seen: number, required: number): Html {
  const count = Math.max(required, 1);
  const isDrawn = count <= MOST_DRAWN;
  const width = BAR / count;
  const gap = width / 10;
  const boxes = isDrawn
    ? Array.from({ length: count }, (_, at) => box(at * width, width - gap, at < seen))
    : [box(0, BAR, false), box(0, Math.round((Math.min(seen, count) * BAR) / count), true)];
  return markup`<svg class="blocks" viewBox="0 0 ${String(BAR)} 8" preserveAspectRatio="none" aria-hidden="true">${boxes}</svg>`;
}

function box(x: number, width: number, isInChain: boolean): Html {
  return markup`<rect x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="8"${isInChain ? markup` class="here"` : null}/>`;
}

/** Empty where nothing is known. */
function remainingTime(view: PaymentView): Html | null {
  const words = remainingWords(view);
  return words === '' ? null : markup`<p>${words}</p>`;
}

function remainingWords({ texts, status: { confirmations: progress } }: PaymentView): string {
  const seconds = progress?.estimatedSecondsRemaining ?? 0;
  if (seconds > 0 && seconds < MINUTE)
    return texts.text(progress?.finality ? 'seen.final-soon' : 'seen.done-soon');
  if (seconds > 0) {
    const duration = texts.duration(seconds);
    return texts.text(progress?.finality ? 'seen.final-in' : 'seen.done-in', { duration });
  }
  // Deep enough: what is missing is the network's own word, which comes in steps of several blocks.
  return progress?.finality && !progress.delayed && progress.seen > 0 ? texts.text('seen.almost-final') : '';
}

/** Of slow chains, so that nobody takes a wait for a fault. The script keeps its age (web/checkout/times.ts), silently. */
function newestBlock({ texts, status, network }: PaymentView): Html | null {
  const { newestBlockAt = null, nextBlockWithin = null } = status.confirmations ?? {};
  if (newestBlockAt === null || nextBlockWithin === null || network === null) return null;
  const seconds = (Date.parse(status.serverTime) - Date.parse(newestBlockAt)) / 1_000;
  const ago = markup`<time datetime="${newestBlockAt}" data-ago>${texts.ago(seconds)}</time>`;
  return markup`<p>${texts.html('seen.newest-block', { network: markup`<bdi>${network}</bdi>`, ago, duration: texts.duration(nextBlockWithin) })}</p>`;
}

function delayedNotice({ texts, status }: PaymentView): Html {
  const { delayedSince = null } = status.confirmations ?? {};
  const since = delayedSince === null ? null : markup` (${instant(texts, delayedSince)})`;
  return notice(
    'warn',
    markup`<p><strong>${texts.text('seen.delayed')}</strong>${since} ${texts.text('seen.delayed-why')}</p>`,
  );
}
