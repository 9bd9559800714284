import { networkOf } from '../../chains/network-name.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { heading } from '../../platform/web/html/page-elements.js';
import type { CoinChoice, PickableMethod, PickerProblem } from './method-picker.pure.js';
import { networkEntries } from './network-entries.js';
import { chooseForm, estimateOf, problemNotice, problemText, testNetworksNote } from './picker-elements.js';
import { reportFold } from './report-fold.js';
import { backToShop, merchant, type PaymentView, type Screen, shopAnchor } from './screen.js';
import { strayNotice, strayWords } from './stray-notice.js';
import { walletCheck } from './wallet-check.js';

/** The customer's choice of a network for a coin. @param canChange there are other coins */
export function networksScreen(
  view: PaymentView,
  coin: CoinChoice,
  problem: PickerProblem | null,
  canChange: boolean,
): Screen {
  const { texts } = view;
  const { code, best } = coin;
  const title = texts.text('networks.heading', { coin: code });
  const body = markup`${heading('plain', title)}
    ${problemNotice(texts, problem)}
    ${strayNotice(view)}
    <p>${best && texts.html('networks.intro', { amount: estimateOf(texts, best.method) ?? code, shop: merchant(view), coin: code })}</p>
    ${walletCheck(
      texts,
      coin.networks.map(({ method }) => method),
    )}
    ${networkEntries(view, coin)}
    <p class="soft">${texts.text('networks.hint')}</p>
    <p class="soft">${texts.text('methods.estimates')}</p>
    ${testNetworksNote(
      texts,
      coin.networks.map(({ method }) => method),
    )}
    ${reportFold(view)}
    ${waysOut(view, canChange)}`;
  return {
    name: `networks-${coin.method}`,
    title,
    announcement: [strayWords(view), problem ? problemText(texts, problem) : `${title}.`].join(' ').trim(),
    isAlert: problem !== null || view.unmatched !== null,
    isReloading: false,
    body,
  };
}

function waysOut(view: PaymentView, canChange: boolean): Html {
  const change = markup`<a class="link" id="change" href="${view.link({ choose: '1' })}">${view.texts.text('networks.other-coin')}</a>`;
  return canChange
    ? markup`<div class="ways">${change}${shopAnchor(view, 'link')}</div>`
    : markup`${backToShop(view)}`;
}

/**
 * A single method that is not chosen yet: a link named it, or there is no other. Nothing is allotted before the button is
 * pressed. @param canChange there are other methods
 */
export function confirmScreen(
  view: PaymentView,
  method: PickableMethod,
  canChange: boolean,
  isOnly: boolean,
): Screen {
  const { texts } = view;
  const network = networkOf(texts, method);
  const coin = method.currency.code;
  const title = texts.text('networks.confirm.heading', { coin, network });
  const body = markup`${heading('plain', title)}
    ${strayNotice(view)}
    <p>${texts.html('networks.confirm.text', { amount: estimateOf(texts, method) ?? coin })}</p>
    ${chooseForm(view, method, markup`<button class="button" id="continue">${texts.text('networks.confirm.button')}</button>`)}
    ${testNetworksNote(texts, [method])}
    ${reportFold(view)}
    ${
      canChange
        ? markup`<div class="ways"><a class="link" id="change" href="${view.link({ choose: '1' })}">${texts.text('networks.other-way')}</a>${shopAnchor(view, 'link')}</div>`
        : backToShop(view)
    }`;
  return {
    name: 'confirm',
    title,
    announcement: [strayWords(view), `${title}.`].join(' ').trim(),
    isAlert: view.unmatched !== null,
    isReloading: false,
    isContinuing: isOnly,
    body,
  };
}
