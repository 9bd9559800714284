import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import type { PaymentStatus } from '../../payments/payment-status.pure.js';
import { INSTRUCTIONS, TRANSACTION, UNMATCHED, viewOf } from '../../../test/support/payment-view.js';
import { coinsScreen } from './coins-screen.js';
import { closedScreen, paidScreen } from './outcome-screens.js';
import { payScreen } from './pay-screen.js';
import { type PaymentView, type Screen } from './screen.js';
import { strayWords } from './stray-notice.js';
import { foundScreen } from './seen-screens.js';
import { shortScreen } from './short-screen.js';

const usd = getCurrency('USD');

const plain = (words: string) => words.replace(/\s+/g, ' ');
/** Without the isolation of amounts and names, and with plain spaces. */
const text = (screen: Screen) => screen.body.text.replace(/<\/?bdi[^>]*>/g, '').replace(/\s+/g, ' ');

describe('outcomes', () => {
  it.each(['RECEIVED', 'CONFIRMED'] as const)('%s is shown as paid', (status) => {
    const screen = paidScreen(viewOf(status));
    expect(text(screen)).toContain('Payment complete');
    expect(text(screen)).not.toContain('too much');
    expect(screen).toMatchObject({ title: '✓ Paid', isReloading: false, isAlert: false });
  });

  it('says first what arrived in the coin, of what counts', () => {
    const usdt = presentAmount(12_500_000n, { ...getCurrency('USDT'), decimals: 6 });
    const transactions = [
      TRANSACTION,
      TRANSACTION,
      { ...TRANSACTION, amount: usdt, currencyCode: 'USDT' },
      { ...TRANSACTION, matched: false },
      { ...TRANSACTION, status: 'ORPHANED' as const },
    ];
    const [top = ''] = text(paidScreen(viewOf('CONFIRMED', { transactions }))).split('<dl');
    expect(top.replace(/<[^>]*>/g, '')).toContain('Received 0.06 ETH and 12.5 USDT');
    expect(text(paidScreen(viewOf('CONFIRMED')))).not.toContain('class="arrived"');
  });

  const returning = (changes: Partial<PaymentView>, redirectUrl: string | null = 'https://shop.example/') => {
    const view = viewOf('RECEIVED', changes);
    Object.assign(view.status, { redirectUrl });
    return /data-texts="([^"]*)"/.exec(paidScreen(view).body.text)?.[1] ?? null;
  };

  it('has the seconds to count down until it returns to the shop, hidden without the script', () => {
    expect(returning({})?.split(',')).toHaveLength(5);
    expect(returning({})).toContain('Back to shop.example in 1 second.');
  });

  it.each<[string, Partial<PaymentView>, string | null]>([
    ['only the website of the shop is known', {}, null],
    ['there is no way back', { shop: null }, 'https://shop.example/'],
    ['too much was sent', { overpaid: presentAmount(500n, usd) }, 'https://shop.example/'],
    ['other funds arrived', { unmatched: UNMATCHED }, 'https://shop.example/'],
  ])('does not return by itself when %s', (_when, changes, redirectUrl) => {
    expect(returning(changes, redirectUrl)).toBeNull();
  });

  it('shows the excess, and the accepted shortfall', () => {
    const overpaid = presentAmount(500n, usd);
    expect(text(paidScreen(viewOf('CONFIRMED', { overpaid })))).toContain('You sent $5.00 too much.');
    expect(text(paidScreen(viewOf('CONFIRMED', { underpaid: overpaid })))).toContain(
      'although $5.00 was missing',
    );
  });

  it.each([
    ['CANCELLED', 'Payment cancelled'],
    ['ERROR', 'This payment can’t continue'],
    ['REFUND', 'My Store has sent back the money from this payment.'],
  ] as const)('%s is named with the reference', (status, words) => {
    const screen = closedScreen(viewOf(status), status);
    expect(text(screen)).toContain(words);
    expect(text(screen)).toContain('ORDER-1');
    expect(screen.isReloading).toBe(false);
  });
});

describe('unmatched funds', () => {
  const viewWith = (status: PaymentStatus) => {
    const transaction = { ...TRANSACTION, matched: false };
    const transactions = [transaction, { ...transaction, status: 'CONFIRMED' as const }];
    return viewOf(status, { transactions, unmatched: UNMATCHED });
  };

  it('are named when nothing was asked for yet', () => {
    const view = viewOf('OPEN', { unmatched: { ...UNMATCHED, requested: [] } });
    expect(plain(strayWords(view))).toBe(
      '5 BNB on BNB Smart Chain arrived, but this order didn’t ask for it.',
    );
  });

  it.each<[PaymentStatus, (view: PaymentView) => Screen, string]>([
    ['OPEN', (view) => coinsScreen(view, [], null), 'accept it or send it back'],
    ['OPEN', (view) => payScreen(view, INSTRUCTIONS, true), 'accept it or send it back'],
    ['FOUND', (view) => foundScreen(view), 'accept it or send it back'],
    ['UNDERPAID', (view) => shortScreen(view, null), 'accept it or send it back'],
    ['CONFIRMED', (view) => paidScreen(view), 'Your payment is complete without it.'],
    ['CANCELLED', (view) => closedScreen(view, 'CANCELLED'), 'can send it back'],
  ])('%s: shows what arrived, what was requested, and the options', (status, make, words) => {
    const page = text(make(viewWith(status)));
    expect(page).toContain('<dt>We see</dt><dd>5 BNB on BNB Smart Chain</dd>');
    expect(page).toContain('<dt>This order asks for</dt><dd>ETH on Ethereum</dd>');
    expect(page).toContain(
      '<strong>It isn’t lost.</strong> We can see it, but it hasn’t paid this order yet.',
    );
    expect(page).toContain(words);
    expect(page).toContain('quote order <strong>ORDER-1</strong>');
  });

  it('have the heading, the bar and the title of the page where they are the news', () => {
    const screen = payScreen(viewWith('OPEN'), INSTRUCTIONS, true);
    const page = text(screen);
    expect(page).toMatch(/^<p class="bar warn">.*<strong>We see 5 BNB on BNB Smart Chain<\/strong>/);
    expect(page).toContain('<span>Sent on the wrong network</span></h1>');
    expect(page).toContain('<h2>ETH on Ethereum</h2>');
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(page).toContain('href="#payable"><span>Pay again, ETH on Ethereum</span>');
    expect(plain(screen.title)).toBe('We see 5 BNB on BNB Smart Chain');
    expect(screen.name).toBe('pay-stray');
  });

  it('on the right network are in the wrong coin', () => {
    const requested = [{ code: 'USDT', network: 'BNB Smart Chain' }];
    const view = viewOf('OPEN', { unmatched: { ...UNMATCHED, requested } });
    expect(text(payScreen(view, INSTRUCTIONS, true))).toContain('Sent in the wrong coin</span></h1>');
  });

  it('that can be asked back later say so, and those that cannot say nothing', () => {
    const view = viewWith('OPEN');
    expect(text(payScreen(view, INSTRUCTIONS, true))).not.toContain('ask for it back');
    Object.assign(view.status, { unmatchedTransactions: [{ ...TRANSACTION, matched: false }] });
    expect(text(payScreen(view, INSTRUCTIONS, true))).toContain('as soon as it’s confirmed');
  });

  it('are marked in the list of transactions', () => {
    const page = text(foundScreen(viewWith('FOUND')));
    expect(page).toContain('12 of 12 confirmations, doesn’t count');
    expect(page).toContain('confirmed, doesn’t count');
  });
});
