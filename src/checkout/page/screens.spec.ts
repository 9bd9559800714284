import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { PAYMENT_STATUSES } from '../../payments/payment-status.pure.js';
import { INSTRUCTIONS, TRANSACTION, UNMATCHED, viewOf } from '../../../test/support/payment-view.js';
import { coinsScreen } from './coins-screen.js';
import { endedScreen } from './ended-screens.js';
import { closedScreen, paidScreen } from './outcome-screens.js';
import { payScreen } from './pay-screen.js';
import { paymentPage } from './payment-page.js';
import type { PaymentView, Screen } from './screen.js';
import { foundScreen } from './seen-screens.js';
import { shortScreen } from './short-screen.js';
import { shopLink } from './shop-link.js';

const btc = getCurrency('BTC');
const EVIL = `</title></main></script><img src=x onerror="alert('x')">&quot;'\``;

/** Without the isolation of amounts and names, and with plain spaces. */
const text = (screen: Screen) => screen.body.text.replace(/<\/?bdi[^>]*>/g, '').replace(/\s+/g, ' ');

describe('seen', () => {
  it('shows confirmations and that nothing is left to do', () => {
    const screen = foundScreen(viewOf('FOUND', { transactions: [TRANSACTION] }));
    expect(text(screen)).toContain('<strong>Confirming: 1 of 12</strong>');
    expect(text(screen)).toContain('<p>Usually done in about 2 minutes.</p>');
    expect(text(screen)).toContain('There’s nothing more to do');
    // Never "40 of 12".
    expect(text(screen)).toContain('12 of 12 confirmations</span>');
    expect(text(screen)).not.toMatch(/id="copy-(amount|address)"/);
    expect(screen).toMatchObject({ title: 'Payment seen', isReloading: true });
  });

  const UNKNOWN = { estimatedSecondsRemaining: null };
  it.each<[string, Partial<NonNullable<PaymentView['status']['confirmations']>>, string, string]>([
    ['an estimate', { estimatedSecondsRemaining: 1_200 }, 'Usually done in about 20 minutes.', 'delayed'],
    ['a short estimate', { estimatedSecondsRemaining: 59 }, 'done in less than a minute.', 'done in about'],
    ['an estimate of finality', { finality: 'safe' }, 'Usually final in about 2 minutes.', 'done in'],
    ['no finality yet', { finality: 'safe', ...UNKNOWN }, 'Almost final.', 'Usually'],
    ['no estimate where none is known', UNKNOWN, '1 of 12', 'Usually'],
    ['that the network is delayed', { ...UNKNOWN, delayed: true }, 'Confirmations are delayed.', 'Usually'],
  ])('shows %s', (_what, progress, shown, hidden) => {
    for (const screenOf of [foundScreen, (view: PaymentView) => shortScreen(view, null)]) {
      const view = viewOf('FOUND');
      Object.assign(view.status.confirmations ?? {}, progress);
      const page = text(screenOf(view));
      expect(page).toContain(shown);
      expect(page).not.toContain(hidden);
    }
  });

  it('announces a delayed network to screen readers', () => {
    const view = viewOf('FOUND');
    Object.assign(view.status.confirmations ?? {}, { delayed: true });
    expect(foundScreen(view).announcement).toBe('Payment seen. Confirmations are delayed.');
  });

  it('says nothing of a block but at the half and at the last', () => {
    const said = Array.from({ length: 20 }, (_, seen) => {
      const view = viewOf('FOUND');
      Object.assign(view.status.confirmations ?? {}, { seen, required: 20 });
      return foundScreen(view).announcement;
    });
    expect(said.filter((words, at) => words !== said[at - 1])).toEqual([
      'Payment seen, being confirmed',
      'Half of the confirmations are in.',
      'Just one more confirmation to go.',
    ]);
  });

  it('says of a slow network when its newest block came', () => {
    const view = viewOf('FOUND', { network: 'Bitcoin' });
    const newest = { newestBlockAt: '2026-01-15T09:46:00Z', nextBlockWithin: 1_200 };
    Object.assign(view.status.confirmations ?? {}, newest);
    expect(text(foundScreen(view))).toContain(
      'Newest block on Bitcoin: <time datetime="2026-01-15T09:46:00Z" data-ago>14 minutes ago</time>. ' +
        'The next one usually comes within 20 minutes.',
    );
  });

  it('does not know how things stand on a network that does not answer', () => {
    const view = viewOf('FOUND');
    const delayed = { delayed: true, delayedSince: '2026-01-15T09:46:00Z' };
    Object.assign(view.status.confirmations ?? {}, delayed);
    expect(text(foundScreen(view))).toMatch(
      /^<p class="bar unknown">.*Ethereum isn’t responding, since <time datetime="2026-01-15T09:46:00Z">/,
    );
  });

  it('says when a part can be asked back, unless the shop accepts it by itself', () => {
    const view = viewOf('FOUND', { isShort: true });
    expect(text(shortScreen(view, INSTRUCTIONS))).toContain('once it’s confirmed, in about 2 minutes.');
    view.status.merchantSettings.allowUnderpay = true;
    expect(text(shortScreen(view, INSTRUCTIONS))).not.toContain('ask for it back');
  });

  it('requests nothing while late funds have no rate', () => {
    expect(text(foundScreen(viewOf('FOUND', { isPricing: true })))).toContain(
      'we’re working out what it’s worth',
    );
  });

  it.each([
    [true, true],
    [false, false],
  ])('says what late funds count, where they count: %s', (matched, isSaid) => {
    const transactions = [{ ...TRANSACTION, late: true, matched }];
    for (const screen of [
      foundScreen(viewOf('FOUND', { transactions })),
      shortScreen(viewOf('UNDERPAID', { transactions }), null),
      paidScreen(viewOf('RECEIVED', { transactions })),
    ])
      expect(text(screen).includes('counts at the rate when it arrived')).toBe(isSaid);
  });

  it.each(['FOUND', 'UNDERPAID'] as const)('%s and short: requests exactly the remainder', (status) => {
    const screen = shortScreen(viewOf(status, { isShort: true }), INSTRUCTIONS);
    expect(text(screen)).toContain('<span>0.020000000000000001 ETH is still missing</span></h1>');
    expect(text(screen)).toContain('data-copy="0.020000000000000001"');
    expect(text(screen)).toContain('<th scope="row">Missing</th><td>$40.00</td>');
    expect(text(screen)).toContain('price fixed until');
    // What becomes of the part, and the help of the pay screen, for the rest.
    expect(text(screen)).toContain('What has arrived stays counted at the rate when it arrived');
    expect(text(screen)).toContain('you can request it back here, or My Store decides');
    expect(text(screen)).toContain('Withdraw <strong>0.020000000000000001 ETH</strong>');
    for (const id of ['fold-exchange', 'fold-apps', 'fold-rate'])
      expect(text(screen)).toContain(`id="${id}"`);
    expect(screen).toMatchObject({ title: 'Amount missing', isAlert: true, isReloading: true });
  });

  it('does not request a remainder that the network does not transfer', () => {
    const amounts = {
      minAmount: presentAmount(546n, btc),
      remainingAmount: presentAmount(545n, btc),
      paymentUri: null,
    };
    const screen = shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, ...amounts });
    expect(text(screen)).toContain('<span>0.00000545 BTC is still missing</span></h1>');
    expect(text(screen)).toContain('Please don’t send anything more: it’s too little.');
    expect(text(screen)).toContain('can’t carry less than 0.00000546 BTC.');
    expect(text(screen)).toContain('quote order <strong>ORDER-1</strong>');
    expect(text(screen)).not.toMatch(
      /id="copy-(amount|address)"|Please send the rest|Open in wallet|id="scan"/,
    );
    // One unit more can be sent.
    const enough = { ...INSTRUCTIONS, ...amounts, remainingAmount: presentAmount(546n, btc) };
    expect(text(shortScreen(viewOf('UNDERPAID'), enough))).toContain('data-copy="0.00000546"');
  });

  it('shows when the price of the remainder has expired', () => {
    const screen = shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, secondsRemaining: 0 });
    expect(text(screen)).toContain('<p id="ended">This price has expired.');
  });

  it('refers to the shop if the remainder cannot be paid', () => {
    const screen = shortScreen(viewOf('UNDERPAID'), null);
    expect(text(screen)).toContain('$40.00 is still missing');
    expect(text(screen)).toContain('You can’t pay the rest here right now.');
    expect(text(screen)).not.toMatch(/id="copy-(amount|address)"/);
  });
});

describe('a whole page', () => {
  const screens: [string, (view: PaymentView) => Screen][] = [
    ['methods', (view) => coinsScreen(view, [], { kind: 'unknown' })],
    ['pay', (view) => payScreen(view, INSTRUCTIONS, true)],
    ['found', (view) => foundScreen(view)],
    ['short', (view) => shortScreen(view, INSTRUCTIONS)],
    ['short, not payable', (view) => shortScreen(view, null)],
    ['paid', (view) => paidScreen(view)],
    ['cancelled', (view) => closedScreen(view, 'CANCELLED')],
    ['error', (view) => closedScreen(view, 'ERROR')],
    ['refund', (view) => closedScreen(view, 'REFUND')],
    ['expired', (view) => endedScreen(view)],
    ['taken back', (view) => endedScreen({ ...view, isTakenBack: true })],
  ];

  it.each(screens)('%s: escapes texts of the merchant', (_name, make) => {
    const clean = viewOf('OPEN');
    const shop = shopLink(
      { redirectUrl: `https://shop.example/?q="><script>alert(1)</script>`, siteUrl: null },
      clean.status,
    );
    const view = viewOf('OPEN', {
      shop,
      transactions: [{ ...TRANSACTION, txHash: EVIL, explorerUrl: `https://x/"><b>` }],
    });
    Object.assign(view.status, { reference: EVIL, referenceLabel: EVIL, warnings: [EVIL] });
    view.unmatched = { ...UNMATCHED, requested: [{ code: EVIL, network: EVIL }] };
    Object.assign(view.status.merchantSettings, { title: EVIL });
    const { body } = paymentPage(view, make(view));
    expect(body).not.toMatch(/<img|<b>|"><script|alert\('/);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body.match(/<\/main>/g)).toHaveLength(1);
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).not.toMatch(/<[^>]* (style|on[a-z]+)=["']/);
  });

  it.each(PAYMENT_STATUSES)('%s is followed only if it is not final', (status) => {
    const { body } = paymentPage(viewOf(status), paidScreen(viewOf(status)));
    const isFollowed = ['OPEN', 'FOUND', 'UNDERPAID', 'RECEIVED'].includes(status);
    expect(body.includes(' data-events="')).toBe(isFollowed);
  });

  it.each([true, false])('after the end of the link is followed for a while: %s', (isFollowed) => {
    const view = viewOf('OPEN', { access: 'look', isFollowed });
    const { body, status } = paymentPage(view, endedScreen(view));
    expect(status).toBe(403);
    expect([body.includes(' data-events="'), body.includes('http-equiv="refresh"')]).toEqual([
      isFollowed,
      isFollowed,
    ]);
  });

  it('has the proof of a browser without cookies only where there is one', () => {
    const view = viewOf('OPEN', { proof: 'a.b' });
    expect(paymentPage(view, endedScreen(view)).body).toContain(' data-seen="a.b"');
    expect(paymentPage(viewOf('OPEN'), endedScreen(viewOf('OPEN'))).body).not.toContain('data-seen');
  });

  it('shows the reference only if the label does not contain it', () => {
    const view = viewOf('OPEN');
    expect(paymentPage(view, foundScreen(view)).body).toContain('(<bdi>ORDER-1</bdi>)');
    Object.assign(view.status, { referenceLabel: 'Order ORDER-1' });
    expect(paymentPage(view, foundScreen(view)).body).not.toContain('(<bdi>ORDER-1</bdi>)');
  });
});
