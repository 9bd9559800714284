import { networkOf } from '../../chains/network-name.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { heading, money, notice, unbrokenNames } from '../../platform/web/html/page-elements.js';
import { coinMark, networkMark } from './marks.js';
import {
  type CoinChoice,
  type NetworkChoice,
  coinsOf,
  isDollar,
  type PickableMethod,
  type PickerProblem,
  usableCoins,
} from './method-picker.pure.js';
import { networkEntries, networkFacts } from './network-entries.js';
import {
  chooseForm,
  estimateOf,
  methodName,
  problemNotice,
  problemText,
  reasonOf,
  testNetworksNote,
} from './picker-elements.js';
import { reportFold } from './report-fold.js';
import { backToShop, contactShop, type PaymentView, type Screen } from './screen.js';
import { strayNotice, strayWords } from './stray-notice.js';
import { walletCheck } from './wallet-check.js';

/** Of networks, in the row of a coin. */
const SHOWN_MARKS = 3;

/** The customer's choice of a coin; its networks open below it, where there is more than one. */
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
    ${isAnyUsable ? groups(view, first) : null}
    ${isAnyUsable ? markup`<p class="soft small">${texts.text('methods.estimates')}</p>` : null}
    ${testNetworksNote(texts, methods)}
    ${all.length > 0 ? allCoins(view, all) : null}
    ${off.length > 0 ? unavailableCoins(texts, off, isAnyUsable) : null}
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

/** Those that hold their value, then those that do not; within each, the most used first. */
function groups(view: PaymentView, coins: readonly CoinChoice[]): Html {
  const { texts } = view;
  const group = (name: MessageKey, remark: MessageKey, isOfGroup: (coin: CoinChoice) => boolean) => {
    const members = coins.filter(isOfGroup);
    return members.length === 0
      ? null
      : markup`<section class="group"><h2>${texts.text(name)} <span class="soft">${texts.text(remark)}</span></h2>${listOf(view, members, 'coin')}</section>`;
  };
  return markup`${group('methods.dollars', 'methods.dollars-remark', isDollar)}${group('methods.others', 'methods.others-remark', (coin) => !isDollar(coin))}`;
}

/** @param list begins the ids of its folds, of which one is open at a time */
function listOf(view: PaymentView, coins: readonly CoinChoice[], list: string): Html {
  return markup`<ul class="coins">${coins.flatMap((coin) => (coin.best ? [entry(view, coin, coin.best, list)] : []))}</ul>`;
}

/** Without JavaScript a list to read; the script adds the search. */
function allCoins(view: PaymentView, coins: readonly CoinChoice[]): Html {
  const { texts } = view;
  return markup`<details class="fold" id="all-coins"><summary>${texts.text('methods.all', { n: coins.length })}</summary>
    <div class="search" hidden><label for="coin-search">${texts.text('methods.search')}</label>
    <input type="search" id="coin-search" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search">
    <p class="soft" id="coin-search-none" hidden>${texts.text('methods.search-none')}</p></div>
    ${listOf(view, coins, 'any')}</details>`;
}

/** A coin on one network is chosen at once; the networks of others open below it. */
function entry(view: PaymentView, coin: CoinChoice, best: NetworkChoice, list: string): Html {
  const { texts } = view;
  const { code, name, method, networks } = coin;
  const words = [code, name, ...networks.map(({ method: one }) => networkOf(texts, one))]
    .join(' ')
    .toLowerCase();
  const usable = networks.filter(({ method: one }) => one.available);
  const row = (
    line: Html,
  ) => markup`${coinMark(code)}<span class="body"><span class="what"><strong>${code}</strong> <span class="soft">${name}</span>
    <span class="line soft">${line}</span></span>${costOf(view, best)}</span>`;
  if (usable.length === 1) {
    const button = markup`<button class="choice row" data-method="${methodName(best.method)}">${row(oneNetwork(texts, coin, best))}</button>`;
    return markup`<li data-words="${words}">${chooseForm(view, best.method, button)}</li>`;
  }
  return markup`<li data-words="${words}"><details class="coin" name="${list}" id="${list}-${method}"><summary class="row">${row(someNetworks(texts, usable))}</summary>
    <div class="networks"><p class="soft">${texts.text('networks.hint')}</p>${networkEntries(view, coin)}</div></details></li>`;
}

/** The amount of the coin, and below it the price as the shop named it. */
function costOf({ texts, status }: PaymentView, { method }: NetworkChoice): Html {
  const { estimatedAmount } = method;
  const isNews = estimatedAmount !== null && estimatedAmount.currency.code !== status.amount.currency.code;
  return markup`<span class="cost"><strong>${estimateOf(texts, method)}</strong>${isNews ? markup` <span class="soft">${money(texts, status.amount)}</span>` : null}</span>`;
}

/** Where the coin is sent, unless the network has the name of the coin, with its fee and time. */
function oneNetwork(texts: Texts, { name }: CoinChoice, { method, fee }: NetworkChoice): Html {
  const network = networkOf(texts, method);
  const facts = networkFacts(texts, method, fee);
  if (network === name) return facts;
  return markup`<span>${unbrokenNames(texts.text('methods.on-network', { network }))}</span> <span aria-hidden="true">·</span> ${facts}`;
}

/** Marks of a few, and how many there are. */
function someNetworks(texts: Texts, usable: readonly NetworkChoice[]): Html {
  const marks = usable.slice(0, SHOWN_MARKS).map(({ method }) => networkMark(method.blockchain.slug));
  return markup`<span class="marked">${marks}</span> ${texts.text('methods.networks', { n: usable.length })}`;
}

/** Folded, because nothing can be done about them; open if there is nothing else to see. */
function unavailableCoins(texts: Texts, coins: readonly CoinChoice[], isFolded: boolean): Html {
  const items = coins.map(
    ({
      code,
      name,
      networks,
    }) => markup`<li class="off">${coinMark(code)}<span class="what"><strong>${code}</strong> <span>${name}</span>
      ${reasonsOf(
        texts,
        networks.map(({ method }) => method),
      )}</span></li>`,
  );
  const open = isFolded ? null : markup` open`;
  return markup`<details class="fold" id="off-coins"${open}><summary>${texts.text('methods.unavailable', { n: coins.length })}</summary>
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
