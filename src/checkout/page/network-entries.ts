import { networkOf } from '../../chains/network-name.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { unbrokenNames } from '../../platform/web/html/page-elements.js';
import type { FeeClass } from '../fee-class.pure.js';
import { networkMark } from './marks.js';
import type { CoinChoice, NetworkChoice, PickableMethod } from './method-picker.pure.js';
import { chooseForm, methodName, reasonOf } from './picker-elements.js';
import type { PaymentView } from './screen.js';

const FEES: Record<FeeClass, MessageKey> = {
  low: 'networks.fee.low',
  medium: 'networks.fee.medium',
  high: 'networks.fee.high',
};

/** The networks of a coin: a button for each, and the reason where one cannot be used. */
export function networkEntries(view: PaymentView, { networks }: CoinChoice): Html {
  return markup`<ul class="choices">${networks.map((network) => entry(view, network))}</ul>`;
}

function entry(view: PaymentView, { method, fee, isCheapest, isFastest }: NetworkChoice): Html {
  const { texts } = view;
  const name = markup`<strong>${unbrokenNames(networkOf(texts, method))}</strong>`;
  if (!method.available)
    return markup`<li class="off">${networkMark(method.blockchain.slug)}<span class="what">${name}
      <span class="soft">${reasonOf(texts, method.unavailableReason ?? 'node_unavailable')}</span></span></li>`;
  const content = markup`${networkMark(method.blockchain.slug)}<span class="what">${name}
    <span class="soft">${networkFacts(texts, method, fee)}</span></span>
    ${isCheapest || isFastest ? marks(texts, isCheapest, isFastest) : null}`;
  return markup`<li>${chooseForm(view, method, markup`<button class="choice" data-method="${methodName(method)}">${content}</button>`)}</li>`;
}

function marks(texts: Texts, isCheapest: boolean, isFastest: boolean): Html {
  const cheapest = isCheapest ? markup`<span class="mark">${texts.text('networks.cheapest')}</span> ` : null;
  const fastest =
    isFastest && !isCheapest ? markup`<span class="mark">${texts.text('networks.fastest')}</span>` : null;
  return markup`<span class="marks">${cheapest}${fastest}</span>`;
}

/** What the network costs, in words, and how long it takes. */
export function networkFacts(
  texts: Texts,
  { estimatedConfirmationSeconds }: Pick<PickableMethod, 'estimatedConfirmationSeconds'>,
  fee: FeeClass,
): Html {
  const duration = texts.duration(estimatedConfirmationSeconds, 'short');
  return markup`<span>${texts.text(FEES[fee])}</span> <span aria-hidden="true">·</span> <span>${texts.text('networks.time', { duration })}</span>`;
}
