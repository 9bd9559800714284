import type { GatewayError } from '../../kernel/errors/errors.pure.js';
import { LOCALES } from '../../kernel/i18n/locale.pure.js';
import { type MessageKey, textsOf } from '../../kernel/i18n/texts.js';
import { type ErrorTexts, errorWords } from './error-words.js';

const GONE = { title: 'expired.heading', tone: 'bad', text: 'expired.unpaid' } as const;
const TEXTS: ErrorTexts = {
  byCode: { link_expired: GONE },
  broken: 'checkout-error.broken',
  refused: 'checkout-error.invalid',
};

const RETRY = { headers: { 'Retry-After': '61' } };

describe('errorWords', () => {
  const texts = textsOf('en');
  const gone = texts.text('expired.heading');

  it.each<
    [what: string, status: number, code: GatewayError['code'], tone: string, title: string, text: string]
  >([
    ['an error that the page knows', 410, 'link_expired', 'bad', gone, texts.text('expired.unpaid')],
    [
      'one that it knows, whatever the status',
      503,
      'link_expired',
      'bad',
      gone,
      texts.text('expired.unpaid'),
    ],
    [
      'too many requests, which every page knows, with the wait of the header',
      429,
      'too_many_requests',
      'warn',
      'Too many requests',
      'Please wait 2 minutes, then reload this page.',
    ],
    [
      'a failure of the gateway',
      500,
      'server_error',
      'warn',
      texts.text('error.broken.title'),
      texts.text('checkout-error.broken', { duration: '2 minutes' }),
    ],
    [
      'a refusal that it does not know',
      499,
      'bad_request',
      'bad',
      texts.text('error.invalid.title'),
      texts.text('checkout-error.invalid'),
    ],
  ])('describes %s', (_what, status, code, tone, title, text) => {
    expect(errorWords(texts, TEXTS, { status, code, extra: RETRY })).toEqual({ title, tone, text });
  });

  it.each(LOCALES)('says in %s on every page for how long to wait', (locale) => {
    const duration = textsOf(locale).duration(120);
    const keys: MessageKey[] = [
      'error.too-many.text',
      'checkout-error.broken',
      'receipt.error.broken',
      'refund-error.broken',
      'signin-error.wait',
      'signin.address-limited',
      'code.too-many',
    ];
    const silent = keys.filter((key) => !textsOf(locale).text(key, { duration }).includes(duration));
    expect(silent).toEqual([]);
  });
});
