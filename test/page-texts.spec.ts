import { errorPage } from '../src/checkout/page/error-page.js';
import {
  accessLinkDonePage,
  accessLinkEndedPage,
  accessLinkPage,
} from '../src/identity/oauth/access-link-pages.pure.js';
import { languageOf } from '../src/identity/oauth/sign-in-language.js';
import {
  badRequestPage,
  codePage,
  consentPage,
  failurePage,
  guessedPage,
  loginPage,
  signedOutPage,
  type SignInPage,
  signOutPage,
} from '../src/identity/oauth/sign-in-pages.pure.js';
import { OAUTH_SCOPES } from '../src/platform/kernel/oauth-scopes.pure.js';
import { endedScreen } from '../src/checkout/page/ended-screens.js';
import { closedScreen, paidScreen } from '../src/checkout/page/outcome-screens.js';
import { paymentPage } from '../src/checkout/page/payment-page.js';
import type { PaymentView, Screen } from '../src/checkout/page/screen.js';
import { foundScreen } from '../src/checkout/page/seen-screens.js';
import { shortScreen } from '../src/checkout/page/short-screen.js';
import { presentAmount } from '../src/money/present-amount.js';
import { getCurrency } from '../src/money/currencies.js';
import type { ErrorCode } from '../src/platform/kernel/errors/error-catalog.pure.js';
import { textsOf } from '../src/platform/kernel/i18n/texts.js';
import { claimErrorPage, claimPage } from '../src/refunds/page/claim-document.js';
import {
  addressScreen,
  type ClaimPageView,
  confirmScreen,
  stateScreen,
} from '../src/refunds/page/claim-screens.js';
import { REFUND_STATUSES } from '../src/refunds/refund-status.pure.js';
import { ADDRESS, INSTRUCTIONS, TRANSACTION, UNMATCHED, viewOf } from './support/payment-view.js';
import { untranslated } from './support/untranslated.js';

const SCOPES = [...OAUTH_SCOPES, 'openid', 'email', 'profile'];
const fiveDollars = presentAmount(500n, getCurrency('USD'));
const seen = (changes: Partial<PaymentView> = {}) => ({ transactions: [TRANSACTION], ...changes });
const LATE = [
  { ...TRANSACTION, late: true },
  { ...TRANSACTION, status: 'CONFIRMED' as const, matched: false },
];
const tooLittle = { ...INSTRUCTIONS, minAmount: INSTRUCTIONS.amount };

/** Every text that a customer reads comes from web/messages/, so that it can be translated. */
describe('texts of the checkout page', () => {
  it.each<[string, PaymentView['status']['status'], Partial<PaymentView>, (view: PaymentView) => Screen]>([
    ['seen', 'FOUND', seen(), foundScreen],
    ['seen late', 'FOUND', { transactions: LATE, unmatched: UNMATCHED }, foundScreen],
    ['without a rate', 'FOUND', seen({ isPricing: true }), foundScreen],
    ['short, too little to send', 'UNDERPAID', seen(), (view) => shortScreen(view, tooLittle)],
    ['short, not payable', 'FOUND', seen({ unmatched: UNMATCHED }), (view) => shortScreen(view, null)],
    ['paid', 'RECEIVED', seen(), paidScreen],
    ['paid too much', 'CONFIRMED', seen({ overpaid: fiveDollars, unmatched: UNMATCHED }), paidScreen],
    ['paid too little', 'CONFIRMED', seen({ underpaid: fiveDollars }), paidScreen],
    ['cancelled', 'CANCELLED', { unmatched: UNMATCHED }, (view) => closedScreen(view, 'CANCELLED')],
    ['failed', 'ERROR', {}, (view) => closedScreen(view, 'ERROR')],
    ['refunded', 'REFUND', seen(), (view) => closedScreen(view, 'REFUND')],
    ['ended link', 'OPEN', { access: 'look' }, endedScreen],
    ['ended link, something else sent', 'OPEN', { access: 'look', unmatched: UNMATCHED }, endedScreen],
    ['ended link, taken back', 'OPEN', { access: 'state', isTakenBack: true }, endedScreen],
    ['ended link, seen', 'FOUND', { access: 'state' }, endedScreen],
    ['ended link, short', 'UNDERPAID', { access: 'look', isShort: true }, endedScreen],
  ])('%s', (_name, status, changes, screenOf) => {
    const view = viewOf(status, changes, 'en-XA');
    view.status.merchantSettings.allowUnderpay = true;
    Object.assign(view.status.confirmations ?? {}, { delayed: true });
    const screen = screenOf(view);
    // And the initials of the shop, in place of its logo.
    expect(untranslated(paymentPage(view, screen).body)).toEqual([pageTitle(screen), 'MS']);
    expect(screen.title).toMatch(/^(✓ )?\[.*\]$/);
  });

  /** The title of the document: the screen's, then names. */
  const pageTitle = ({ title }: Screen) => `${title} · Order #1 · My Store`;

  it.each<[number, ErrorCode]>([
    [403, 'invalid_signature'],
    [403, 'link_expired'],
    [404, 'payment_not_found'],
    [422, 'validation_failed'],
    [429, 'too_many_requests'],
    [503, 'service_unavailable'],
  ])('the error %i %s', (status, code) => {
    const payment = viewOf('OPEN');
    const surroundings = { languageLink: () => '?', payment: { ...payment, id: payment.status.id } };
    const error = { status, code, extra: { hint: 'the signature is cut off' } };
    expect(untranslated(errorPage(textsOf('en-XA'), error, surroundings).body)).toEqual([]);
  });

  it('finds what is not translated', () => {
    expect(untranslated('<p>[Pàý <bdi>Café</bdi>~~] now</p><img alt="A">')).toEqual(['~~] now', 'A']);
    expect(untranslated('<p><bdi>Café</bdi>: [öñé]</p><b>two</b>')).toEqual(['two']);
  });
});

describe('texts of the sign-in pages', () => {
  const language = languageOf({ url: '/?lang=en-XA', headers: {} });
  const view = {
    language,
    clientName: 'Dashboard',
    redirectOrigin: 'https://dashboard.example',
    hasPasswordLinks: true,
  };
  const error = { status: 422, text: 'signin.wrong' } as const;
  const INVITATION = { kind: 'invitation', email: 'a@b.c', inviter: 'd@e.f', accountId: 'x' } as const;
  const lastAt = new Date('2026-11-24T10:00:00Z');

  it.each<[string, SignInPage]>([
    ['sign-in', loginPage({ ...view, email: '', error: null })],
    ['wrong password', loginPage({ ...view, email: 'a@example.com', error })],
    ['code', codePage({ ...view, error: null })],
    ['wrong code', codePage({ ...view, error })],
    ['consent', consentPage({ ...view, accessSeconds: 3_600, email: 'a@b.c', scopes: SCOPES })],
    ['guessed', guessedPage({ language, count: 20, lastAt, returnTo: '/' })],
    ['guessed at unknown times', guessedPage({ language, count: 20, lastAt: null, returnTo: '/' })],
    ['sign-out', signOutPage(language, 'a@example.com')],
    ['signed out', signedOutPage(language)],
    ['first run', accessLinkPage(language, { kind: 'setup', email: '' })],
    [
      'refused email',
      accessLinkPage(language, { kind: 'setup', email: 'a' }, { status: 422, text: 'link.email-refused' }),
    ],
    [
      'refused password',
      accessLinkPage(
        language,
        { kind: 'password', email: 'a@b.c' },
        { status: 422, text: 'link.password-refused' },
      ),
    ],
    ['invitation', accessLinkPage(language, { ...INVITATION, role: 'developer', hasUser: false })],
    ['invitation of a user', accessLinkPage(language, { ...INVITATION, role: 'viewer', hasUser: true })],
    ['first run, done', accessLinkDonePage(language, { kind: 'setup', email: '' })],
    ['password, done', accessLinkDonePage(language, { kind: 'password', email: 'a@b.c' })],
    ['invitation, done', accessLinkDonePage(language, { ...INVITATION, role: 'viewer', hasUser: true })],
    ['an ended link', accessLinkEndedPage(language)],
    ['a form of another site', failurePage(language, 'cross_site')],
    ['an ended sign-in', failurePage(language, 'expired')],
    ['too many requests', failurePage(language, 'too_many')],
    ['a failure', failurePage(language, 'unavailable')],
    ['a bad request', badRequestPage(language, 400, 'invalid_request: no client')],
  ])('%s', (_name, { body }) => {
    expect(untranslated(body)).toEqual([]);
  });
});

describe('texts of the refund page', () => {
  const refund = {
    id: '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d',
    status: 'AWAITING_ADDRESS',
    reference: 'ORDER-1',
    referenceLabel: 'Order #1',
    amount: fiveDollars,
    payoutAmount: fiveDollars,
    blockchain: { slug: 'ethereum', name: 'Ethereum', testnet: true },
    token: { standard: 'ERC-20', contractAddress: ADDRESS, decimals: 6 },
    address: ADDRESS,
    txHash: TRANSACTION.txHash,
    explorerUrl: TRANSACTION.explorerUrl,
    confirmations: { seen: 1, required: 12 },
    merchantSettings: { title: 'My Store', url: null },
  } as ClaimPageView['refund'];
  const view = (status = refund.status): ClaimPageView => ({
    refund: Object.assign(Object.create(null) as ClaimPageView['refund'], refund, { status }),
    self: '?',
    paymentUrl: null,
    hasBrowserWallets: true,
    texts: textsOf('en-XA'),
    languageLink: () => '?',
  });
  const check = (screen: ReturnType<typeof stateScreen>) =>
    expect(untranslated(claimPage(view(), screen).body)).toEqual([`${screen.title} · Order #1 · My Store`]);

  it.each(REFUND_STATUSES)('%s', (status) => check(stateScreen(view(status))));
  it('the address, on a network that no wallet of the browser knows', () => {
    const pageOf = (hasBrowserWallets: boolean) => {
      const shown = { ...view('AWAITING_ADDRESS'), hasBrowserWallets };
      return claimPage(shown, stateScreen(shown)).body;
    };
    expect(pageOf(false)).not.toContain('id="wallets"');
    expect(pageOf(true)).toContain('id="wallets"');
  });

  it('the form and its confirmation', () => {
    check(addressScreen(view(), '', 'checksum'));
    check(confirmScreen(view(), ADDRESS));
  });

  it.each<[number, ErrorCode]>([
    [403, 'invalid_signature'],
    [403, 'link_expired'],
    [404, 'refund_not_found'],
    [503, 'service_unavailable'],
  ])('the error %i %s', (status, code) => {
    const page = claimErrorPage(textsOf('en-XA'), { status, code, extra: {} }, () => '?');
    expect(untranslated(page.body)).toEqual([]);
  });
});
