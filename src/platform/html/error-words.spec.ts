import type { GatewayError } from '../errors/errors.pure.js';
import { type ErrorTexts, type ErrorWords, errorWords } from './error-words.js';

const GONE = { title: 'expired.heading', tone: 'bad', text: 'expired.unpaid' } as const;
const TEXTS: ErrorTexts = {
  byCode: { link_expired: GONE },
  broken: 'checkout-error.broken',
  refused: 'checkout-error.invalid',
};

describe('errorWords', () => {
  it.each<[what: string, status: number, code: GatewayError['code'], words: ErrorWords]>([
    ['an error that the page knows', 410, 'link_expired', GONE],
    ['one that it knows, whatever the status', 503, 'link_expired', GONE],
    [
      'too many requests, which every page knows',
      429,
      'too_many_requests',
      { title: 'error.too-many.title', tone: 'warn', text: 'error.too-many.text' },
    ],
    [
      'a failure of the gateway',
      500,
      'server_error',
      { title: 'error.broken.title', tone: 'warn', text: 'checkout-error.broken' },
    ],
    [
      'a refusal that it does not know',
      499,
      'bad_request',
      { title: 'error.invalid.title', tone: 'bad', text: 'checkout-error.invalid' },
    ],
  ])('describes %s', (_what, status, code, words) => {
    expect(errorWords(TEXTS, { status, code })).toEqual(words);
  });
});
