import type { GatewayError } from '../errors/errors.pure.js';
import { type ErrorTexts, type ErrorWords, errorWords } from './error-words.js';

const GONE = { title: 'This link has expired', tone: 'bad', text: 'Ask for another.' } as const;
const TEXTS: ErrorTexts = {
  byCode: { link_expired: GONE },
  broken: 'Nothing is lost.',
  refused: 'Go back.',
};

describe('errorWords', () => {
  it.each<[what: string, status: number, code: GatewayError['code'], words: ErrorWords]>([
    ['an error that the page knows', 410, 'link_expired', GONE],
    ['one that it knows, whatever the status', 503, 'link_expired', GONE],
    [
      'too many requests, which every page knows',
      429,
      'too_many_requests',
      { title: 'Too many requests', tone: 'warn', text: 'Please wait a minute, then load this page again.' },
    ],
    [
      'a failure of the gateway',
      500,
      'server_error',
      { title: 'This page does not work at the moment', tone: 'warn', text: 'Nothing is lost.' },
    ],
    [
      'a refusal that it does not know',
      499,
      'bad_request',
      { title: 'This address is not valid', tone: 'bad', text: 'Go back.' },
    ],
  ])('describes %s', (_what, status, code, words) => {
    expect(errorWords(TEXTS, { status, code })).toEqual(words);
  });
});
