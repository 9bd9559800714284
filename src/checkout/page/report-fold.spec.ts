import { REPORTED_STATES, type ReportedState } from '../../payments/transfers/reported-transaction.pure.js';
import { INSTRUCTIONS, TRANSACTION, viewOf } from '../../../test/support/payment-view.js';
import type { ReportNetwork } from '../transaction-report.pure.js';
import { coinsScreen } from './coins-screen.js';
import { endedScreen } from './ended-screens.js';
import { payScreen } from './pay-screen.js';
import { reportFold, reportWords } from './report-fold.js';
import type { PaymentView } from './screen.js';
import { foundScreen } from './seen-screens.js';
import { shortScreen } from './short-screen.js';

const ETHEREUM: ReportNetwork = { slug: 'ethereum', name: 'Ethereum', family: 'evm' };
const BASE: ReportNetwork = { slug: 'base', name: 'Base', family: 'evm' };
const HEADING = 'I have already paid';

function viewWith(
  report: Partial<PaymentView['report']>,
  states: ReportedState[] = [],
  changes: Partial<PaymentView> = {},
): PaymentView {
  const view = viewOf('OPEN', { report: { networks: [ETHEREUM], paid: null, ...report }, ...changes });
  view.status.reportedTransactions = states.map((state) => ({
    provider: 'ethereum',
    txHash: TRANSACTION.txHash,
    state,
    reportedAt: '2026-01-15T10:00:00Z',
  }));
  return view;
}

const text = (view: PaymentView) => reportFold(view).text.replaceAll(/\s+/g, ' ');

describe('the form for a payment that is not shown', () => {
  it('is absent before the payment has an address: the shop and the reference are there', () => {
    const view = viewWith({ networks: [], paid: 'malformed' }, ['SEARCHING']);
    expect(text(view)).toMatch(/^<details class="fold" id="fold-report"><summary>Something went wrong\?/);
    expect(text(view).replaceAll(/<[^>]*>/g, '')).toContain('Contact My Store and quote order ORDER-1.');
    expect(text(view)).not.toMatch(/<form|note calm/);
    expect(reportWords(view)).toBe('');
  });

  it.each<[string, (view: PaymentView) => { body: { text: string } }, boolean]>([
    ['pay', (view) => payScreen(view, INSTRUCTIONS, true), true],
    ['price ended', (view) => payScreen(view, { ...INSTRUCTIONS, secondsRemaining: 0 }, true), true],
    ['choice of a coin', (view) => coinsScreen(view, [], null), true],
    ['partly paid', (view) => shortScreen(view, INSTRUCTIONS), true],
    ['expired', endedScreen, true],
    ['seen in full', foundScreen, false],
  ])('is on the screen "%s": %#', (_title, screenOf, isThere) => {
    expect(screenOf(viewWith({})).body.text.includes(HEADING)).toBe(isThere);
  });

  it('is not on an expired link of a payment that is paid', () => {
    const view = viewWith({});
    view.status.status = 'CONFIRMED';
    expect(endedScreen(view).body.text).not.toContain(HEADING);
  });

  it('is folded, and asks for the network only where there are several', () => {
    expect(text(viewWith({}))).toContain('<details class="fold" id="fold-report"><summary>');
    expect(text(viewWith({}))).toContain('<input type="hidden" name="provider" value="ethereum">');
    const both = text(viewWith({ networks: [BASE, ETHEREUM] }));
    expect(both).toContain('<option value="base">Base</option><option value="ethereum">Ethereum</option>');
  });

  it.each([
    ['1', null],
    ['<b>', null],
    ['malformed', 'That isn’t a transaction ID.'],
    ['too_many', 'You can’t add any more transactions to this payment.'],
  ])('is open with paid=%s, and says what was wrong: %s', (paid, words) => {
    const page = text(viewWith({ paid }));
    expect(page).toContain('id="fold-report" open>');
    expect(page).not.toContain('<b>');
    expect(page).not.toContain('<noscript>');
    expect(page.includes('aria-invalid="true"')).toBe(words !== null);
    if (words) expect(page).toContain(words);
    expect(reportWords(viewWith({ paid }))).toContain(words ?? '');
  });
});

describe('the result', () => {
  const WORDS: Record<ReportedState, string> = {
    SEARCHING: 'We’re looking for this transaction.',
    UNKNOWN: 'This transaction isn’t on Ethereum yet.',
    WAITING: 'We can see this transaction on Ethereum.',
    FOUND: 'Found it: this transaction is recorded',
    FAILED: 'This transaction failed on Ethereum',
    OTHER_ADDRESS: 'didn’t pay this order’s address',
    UNLISTED_TOKEN: 'sent a token that isn’t accepted here',
    NOT_FOUND: 'We couldn’t find this transaction on Ethereum.',
  };

  it.each(REPORTED_STATES)('of %s is shown in words, and read out', (state) => {
    const view = viewWith({}, [state]);
    expect(text(view)).toContain(WORDS[state]);
    expect(text(view)).toContain(TRANSACTION.txHash);
    expect(reportWords(view)).toContain(WORDS[state]);
  });

  it('and the form are one box, which stands open and is no trouble', () => {
    const page = text(viewWith({}, ['SEARCHING']));
    expect(page).toMatch(
      /^<details class="fold" id="fold-report" open><summary>I have already paid<\/summary>/,
    );
    expect(page.match(/I have already paid/g)).toHaveLength(1);
    expect(page.indexOf(WORDS.SEARCHING)).toBeLessThan(page.indexOf('<form'));
    expect(page).not.toContain('Something went wrong?');
  });

  it('is told in words alone to whoever has no more than an ended link', () => {
    const view = viewWith({}, ['FOUND'], { access: 'state' });
    expect(text(view)).toContain(WORDS.FOUND);
    expect(text(view)).not.toContain(TRANSACTION.txHash);
  });

  it('has the confirmations of what was found', () => {
    const found = viewWith({}, ['FOUND'], { transactions: [TRANSACTION] });
    expect(text(found)).toContain('12 of 12 confirmations');
    const other = viewWith({}, ['OTHER_ADDRESS'], { transactions: [TRANSACTION] });
    expect(text(other)).not.toContain('confirmations');
  });

  it('names a network that is not configured any more by its slug', () => {
    const view = viewWith({ networks: [BASE] }, ['UNKNOWN']);
    expect(text(view)).toContain('This transaction isn’t on ethereum yet.');
  });
});
