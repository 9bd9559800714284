import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { money, named, notice } from '../../platform/web/html/page-elements.js';
import { returnable, returnableBlock } from './returnable-block.js';
import { contactShop, merchant, type PaymentView } from './screen.js';

/**
 * A note for the customer that funds on the wrong network or in the wrong coin are not lost
 * (specification/payment-states.md#unmatched-funds).
 */
export function strayNotice(view: PaymentView): Html | null {
  const { texts } = view;
  const sentence = straySentence(view);
  const funds = returnable(view, 'UNEXPECTED', true);
  const isBack = ({ status }: (typeof funds)[number]) => status === 'COMPLETED';
  const sentBack = returnableBlock(view, funds.filter(isBack));
  if (!sentence) return sentBack;
  const others = returnableBlock(
    view,
    funds.filter((each) => !isBack(each)),
  );
  return markup`${sentBack}${notice(
    'warn',
    markup`<p><strong>${sentence}</strong> ${texts.text('stray.recorded')} ${strayAdvice(view)}</p>${others}`,
  )}`;
}

/** The same for screen readers; empty if there are none. */
export function strayWords({ texts, unmatched }: Pick<PaymentView, 'texts' | 'unmatched'>): string {
  if (!unmatched) return '';
  const { arrived, requested } = unmatched;
  const funds = texts.list(
    arrived.map(({ amount, network }) =>
      texts.text('coin.on-network', { coin: texts.money(amount), network }),
    ),
  );
  if (requested.length === 0) return texts.text('stray.not-asked', { funds });
  const coins = requested.map(({ code, network }) => texts.text('coin.on-network', { coin: code, network }));
  return texts.text('stray.other-asked', { funds, coins: texts.list(coins, 'disjunction') });
}

function straySentence({ texts, unmatched }: PaymentView): Html | null {
  if (!unmatched) return null;
  const { arrived, requested } = unmatched;
  const funds = texts.listHtml(
    arrived.map(({ amount, network }) =>
      texts.html('coin.on-network', { coin: money(texts, amount), network: named(network) }),
    ),
  );
  if (requested.length === 0) return texts.html('stray.not-asked', { funds });
  const coins = requested.map(({ code, network }) =>
    texts.html('coin.on-network', { coin: named(code), network: named(network) }),
  );
  return texts.html('stray.other-asked', { funds, coins: texts.listHtml(coins, 'disjunction') });
}

/** The options of merchant and customer. */
function strayAdvice(view: PaymentView): Html {
  const { texts } = view;
  const contact = contactShop(view);
  const shop = merchant(view);
  const payHere = view.access === 'pay' ? markup` ${texts.text('stray.pay-here')}` : null;
  switch (view.status.status) {
    case 'OPEN':
    case 'UNDERPAID':
      return markup`${texts.html('stray.accept-or-return', { shop })} ${contact}${payHere}`;
    case 'FOUND':
      return markup`${texts.html('stray.accept-or-return', { shop })} ${contact}`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return markup`${texts.html('stray.complete-without', { shop })} ${contact}`;
    default:
      return markup`${texts.html('stray.return', { shop })} ${contact}`;
  }
}
