import type { ErrorCode } from '../../platform/errors/error-catalog.pure.js';
import { describeProblem, pageLink, type PageQuery, readQuery, wantedMethod } from './page-query.js';

const LINK = { expires: '1773576000', signature: 'ab'.repeat(32), lang: null };
const NONE = { provider: null, method: null };
const ETH = { provider: 'ethereum', method: 'eth' };

describe('readQuery', () => {
  it.each([
    [{}, NONE, false],
    [{ provider: 'ethereum', method: 'eth', utm_source: 'x' }, ETH, false],
    [{ provider: ['ethereum', 'x'], method: { a: 'eth' } }, NONE, false],
    [{ provider: '', method: '' }, NONE, false],
    [{ choose: '1' }, NONE, true],
    [{ choose: ['1', '1'] }, NONE, false],
  ])('%j', (query, wanted, isChoosing) => {
    expect(readQuery({ ...LINK, ...query })).toEqual({ ...LINK, wanted, isChoosing });
  });

  it('keeps the language that the URL asks for', () => {
    expect(readQuery({ ...LINK, lang: 'de' }).lang).toBe('de');
    expect(pageLink({ ...LINK, lang: 'de' }, {})).toContain('&lang=de');
  });
});

it('pageLink escapes parameters', () => {
  expect(pageLink(LINK, { provider: 'a&b=c "', method: 'é' })).toBe(
    `?expires=1773576000&signature=${LINK.signature}&provider=a%26b%3Dc+%22&method=%C3%A9`,
  );
});

describe('wantedMethod', () => {
  const query = (fields: Partial<PageQuery> = {}): PageQuery => ({
    ...LINK,
    wanted: NONE,
    isChoosing: false,
    ...fields,
  });

  it.each([
    ['a first view lists the methods', 'OPEN', null, query(), 3, null],
    ['the only method needs no choice', 'OPEN', null, query(), 1, NONE],
    ['the only method cannot be changed', 'OPEN', 'ethereum', query({ isChoosing: true }), 1, NONE],
    ['a wrong name is an error even for the only method', 'OPEN', null, query({ wanted: ETH }), 1, ETH],
    ['a name in the address', 'OPEN', null, query({ wanted: ETH }), 3, ETH],
    [
      'half a name in the address',
      'OPEN',
      null,
      query({ wanted: { ...NONE, method: 'eth' } }),
      3,
      { ...NONE, method: 'eth' },
    ],
    ['selected before', 'OPEN', 'ethereum', query(), 3, NONE],
    ['selected before, choosing again', 'OPEN', 'ethereum', query({ isChoosing: true }), 3, null],
    ['no method at all', 'OPEN', null, query(), 0, null],
    ['funds were seen', 'FOUND', 'ethereum', query({ wanted: ETH, isChoosing: true }), 3, NONE],
    ['too little came', 'UNDERPAID', 'ethereum', query({ wanted: ETH }), 3, NONE],
    ['paid', 'RECEIVED', 'ethereum', query({ wanted: ETH }), 1, null],
    ['confirmed', 'CONFIRMED', 'ethereum', query(), 1, null],
    ['cancelled', 'CANCELLED', null, query({ wanted: ETH }), 1, null],
    ['failed', 'ERROR', null, query(), 1, null],
    ['refunded', 'REFUND', 'ethereum', query(), 1, null],
  ])('%s', (_case, status, selectedProvider, page, count, wanted) => {
    expect(wantedMethod({ status, selectedProvider }, page, count)).toEqual(wanted);
  });
});

describe('describeProblem', () => {
  it.each<[code: ErrorCode, message: string, text: string | null]>([
    ['method_selection_required', 'Select a payment method: name a provider and a method.', null],
    [
      'payment_method_not_found',
      'Payment method not found',
      'This way to pay does not exist. Please choose another one.',
    ],
    ['payment_not_payable', 'This payment can no longer be paid', 'This payment can no longer be paid.'],
    [
      'service_unavailable',
      'No exchange rate is available for this method at the moment',
      'No exchange rate is available for this method at the moment. Please choose another way to pay, or try again in a minute.',
    ],
    [
      'validation_failed',
      'The merchant cannot receive ETH at the moment.',
      'The merchant cannot receive ETH at the moment. Please choose another way to pay, or try again in a minute.',
    ],
  ])('%s', (code, message, text) => {
    expect(describeProblem({ code, message })).toBe(text);
  });
});
