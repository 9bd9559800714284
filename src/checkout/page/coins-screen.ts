import { networkOf } from '../../chains/network-name.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { heading, notice, unbrokenNames } from '../../platform/web/html/page-elements.js';
import {
  type CoinChoice,
  type NetworkChoice,
  coinsOf,
  type PickableMethod,
  type PickerProblem,
  usableCoins,
} from './method-picker.pure.js';
import {
  chooseForm,
  coinBadge,
  estimateOf,
  problemNotice,
  problemText,
  reasonOf,
  testNetworksNote,
} from './picker-elements.js';
import { reportFold } from './report-fold.js';
import { backToShop, contactShop, type PaymentView, type Screen } from './screen.js';
import { strayNotice, strayWords } from './stray-notice.js';
import { walletCheck } from './wallet-check.js';

/** The customer's choice of a coin; the network is the next question, where there is more than one. */
export function coinsScreen(
  view: PaymentView,
  methods: readonly PickableMethod[],
  problem: PickerProblem | null,
): Screen {
  const { texts } = view;
  const coins = coinsOf(methods);
  const { first, all } = usableCoins(coins);
  const isAnyUsable = first.length > 0;
  const off = coins.filter(({ best }) => best === null);
  const body = markup`${heading('plain', texts.text('methods.heading'))}
    ${isAnyUsable ? problemNotice(texts, problem) : nothingUsable(view)}
    ${strayNotice(view)}
    ${walletCheck(texts, methods)}
    ${isAnyUsable ? listOf(view, first) : null}
    ${all.length > 0 ? allCoins(view, all) : null}
    ${off.length > 0 ? unavailableCoins(texts, off, isAnyUsable) : null}
    ${isAnyUsable ? markup`<p class="soft">${texts.text('methods.estimates')}</p>` : null}
    ${testNetworksNote(texts, methods)}
    ${reportFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'methods',
    title: texts.text('methods.title'),
    announcement: [
      strayWords(view),
      problem ? problemText(texts, problem) : texts.text('methods.announcement'),
    ]
      .join(' ')
      .trim(),
    isAlert: problem !== null || view.unmatched !== null,
    // Reloading every few seconds would scroll the list back.
    isReloading: false,
    // The address of this screen, whatever is selected later: with it, Back leads here.
    address: view.link({ choose: '1' }),
    body,
  };
}

function nothingUsable(view: PaymentView): Html {
  const { texts } = view;
  return notice(
    'warn',
    markup`<p><strong>${texts.text('methods.none-usable')}</strong>
      <a href="${view.link({ choose: '1' })}">${texts.text('methods.try-again')}</a></p>
      <p>${texts.text('methods.none-usable-later')} ${contactShop(view)}</p>`,
  );
}

function listOf(view: PaymentView, coins: readonly CoinChoice[]): Html {
  return markup`<ul class="choices">${coins.flatMap((coin) => (coin.best ? [entry(view, coin, coin.best)] : []))}</ul>`;
}

/** Without JavaScript a list to read; the script adds the search. */
function allCoins(view: PaymentView, coins: readonly CoinChoice[]): Html {
  const { texts } = view;
  return markup`<details class="more" id="all-coins"><summary>${texts.text('methods.all', { n: coins.length })}</summary>
    <div class="search" hidden><label for="coin-search">${texts.text('methods.search')}</label>
    <input type="search" id="coin-search" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search">
    <p class="soft" id="coin-search-none" hidden>${texts.text('methods.search-none')}</p></div>
    ${listOf(view, coins)}</details>`;
}

function entry(view: PaymentView, coin: CoinChoice, best: NetworkChoice): Html {
  const { texts } = view;
  const { code, name, networks } = coin;
  const words = [code, name, ...networks.map(({ method }) => networkOf(texts, method))]
    .join(' ')
    .toLowerCase();
  const content = markup`${coinBadge(code)}<span class="what"><strong>${code}</strong> <span>${name}</span>
    ${networksLine(texts, coin, best)}</span>
    <span class="cost"><strong>${estimateOf(texts, best.method)}</strong></span>`;
  const target =
    usableCount(coin) > 1
      ? markup`<a class="choice" href="${view.link({ method: coin.method })}">${content}</a>`
      : chooseForm(view, best.method, markup`<button class="choice">${content}</button>`);
  return markup`<li data-words="${words}">${target}</li>`;
}

function usableCount({ networks }: CoinChoice): number {
  return networks.filter(({ method }) => method.available).length;
}

/** Where the coin is sent, or that this is asked next; nothing for a coin on a network of the same name. */
function networksLine(texts: Texts, coin: CoinChoice, best: NetworkChoice): Html | null {
  const n = usableCount(coin);
  if (n > 1) return markup`<span class="soft">${texts.text('methods.networks', { n })}</span>`;
  const network = networkOf(texts, best.method);
  return network === coin.name
    ? null
    : markup`<span class="soft">${unbrokenNames(texts.text('methods.on-network', { network }))}</span>`;
}

/** Folded, because nothing can be done about them; open if there is nothing else to see. */
function unavailableCoins(texts: Texts, coins: readonly CoinChoice[], isFolded: boolean): Html {
  const items = coins.map(
    ({
      code,
      name,
      networks,
    }) => markup`<li class="off">${coinBadge(code)}<span class="what"><strong>${code}</strong> <span>${name}</span>
      ${reasonsOf(
        texts,
        networks.map(({ method }) => method),
      )}</span></li>`,
  );
  const open = isFolded ? null : markup` open`;
  return markup`<details class="more" id="off-coins"${open}><summary>${texts.text('methods.unavailable', { n: coins.length })}</summary>
    <ul class="choices">${items}</ul></details>`;
}

/** One reason, or one for each network if they differ. */
function reasonsOf(texts: Texts, methods: readonly PickableMethod[]): Html {
  const reasons = methods.map((method) => [networkOf(texts, method), reasonText(texts, method)] as const);
  const [first] = reasons;
  const isSame = reasons.every(([, reason]) => reason === first?.[1]);
  const lines =
    isSame && first
      ? [first[1]]
      : reasons.map(([network, reason]) => texts.text('methods.network-reason', { network, reason }));
  return markup`${lines.map((line) => markup`<span class="soft">${unbrokenNames(line)}</span>`)}`;
}

function reasonText(texts: Texts, { unavailableReason }: PickableMethod): string {
  return reasonOf(texts, unavailableReason ?? 'node_unavailable');
}
