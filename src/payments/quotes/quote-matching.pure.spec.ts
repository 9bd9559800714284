import type { Quote } from '../payment.pure.js';
import { isAttributable, matchQuote } from './quote-matching.pure.js';

const NOON = Date.UTC(2026, 0, 15, 12);
const at = (minutes: number) => new Date(NOON + minutes * 60_000);

function quote(id: string, changes: Partial<Quote> = {}): Quote {
  return {
    id,
    chain: 'ethereum',
    asset: 'native',
    currencyCode: 'ETH',
    assetDecimals: 18,
    assetAmount: 1000n,
    rate: '2000',
    rateSource: 'kraken',
    settlementRate: null,
    isLate: false,
    acceptedTransferId: null,
    lockedAt: at(0),
    expiresAt: at(15),
    ...changes,
  };
}
const PAYMENT = { currencyCode: 'USD' };
const TRANSFER = { chain: 'ethereum', asset: 'native', currencyCode: 'ETH', amount: 1000n };
const FIRST = quote('first');
const SECOND = quote('second', { assetAmount: 1100n, lockedAt: at(16), expiresAt: at(31) });

describe('matchQuote', () => {
  it.each([
    ['in time', [FIRST], TRANSFER, 5, { quoteId: 'first', isMatched: true, isLate: false }],
    ['at the end of the grace', [FIRST], TRANSFER, 30, { quoteId: 'first', isMatched: true, isLate: false }],
    ['after the grace', [FIRST], TRANSFER, 31, { quoteId: null, isMatched: true, isLate: true }],
    [
      'an asset that was not quoted',
      [FIRST],
      { ...TRANSFER, asset: '0xtoken' },
      5,
      { quoteId: null, isMatched: false, isLate: false },
    ],
    [
      'a chain that was not quoted',
      [FIRST],
      { ...TRANSFER, chain: 'polygon' },
      5,
      { quoteId: null, isMatched: false, isLate: false },
    ],
    ['no quote at all', [], TRANSFER, 5, { quoteId: null, isMatched: false, isLate: false }],
    [
      'the amount that an earlier page showed',
      [FIRST, SECOND],
      TRANSFER,
      20,
      { quoteId: 'first', isMatched: true, isLate: false },
    ],
    [
      'the amount that the newest page shows',
      [FIRST, SECOND],
      { ...TRANSFER, amount: 1100n },
      20,
      { quoteId: 'second', isMatched: true, isLate: false },
    ],
    [
      'another amount: the newest',
      [FIRST, SECOND],
      { ...TRANSFER, amount: 50n },
      20,
      { quoteId: 'second', isMatched: true, isLate: false },
    ],
    [
      'the earlier page after its grace',
      [FIRST, SECOND],
      TRANSFER,
      40,
      { quoteId: 'second', isMatched: true, isLate: false },
    ],
    [
      'an asset of which one transfer was accepted: the next is unmatched again',
      [FIRST, quote('accepted', { chain: 'polygon', acceptedTransferId: 'another' })],
      { ...TRANSFER, chain: 'polygon' },
      5,
      { quoteId: null, isMatched: false, isLate: false },
    ],
    [
      'an asset that was accepted once and quoted later',
      [quote('accepted', { acceptedTransferId: 'another' }), SECOND],
      TRANSFER,
      20,
      { quoteId: 'second', isMatched: true, isLate: false },
    ],
    [
      'never the rate of other late funds',
      [FIRST, quote('late', { isLate: true, lockedAt: at(60), expiresAt: at(60) })],
      TRANSFER,
      61,
      { quoteId: null, isMatched: true, isLate: true },
    ],
  ])('%s', (_name, quotes, transfer, minutes, expected) => {
    expect(matchQuote(PAYMENT, quotes, transfer, at(minutes))).toEqual(expected);
  });

  it('never treats a payment priced in its own coin as late', () => {
    expect(matchQuote({ currencyCode: 'ETH' }, [FIRST], TRANSFER, at(10_000))).toEqual({
      quoteId: 'first',
      isMatched: true,
      isLate: false,
    });
  });
});

describe('a transfer and its quote', () => {
  const QUOTE = { id: 'q', chain: 'ethereum', asset: 'native', acceptedTransferId: null };
  const OTHER = { ...QUOTE, id: 'o', asset: '0xusdt' };
  const TRANSFER = { id: 't', chain: 'ethereum', asset: 'native', quoteId: 'q', isMatched: true };

  it.each([
    ['belong together', {}, [QUOTE, OTHER], true],
    ['do not, of another asset', { quoteId: 'o' }, [QUOTE, OTHER], false],
    ['do not, of another chain', { chain: 'bsc' }, [QUOTE], false],
    ['do not, of another payment', { quoteId: 'x' }, [QUOTE], false],
    ['do not, made for another transfer', {}, [{ ...QUOTE, acceptedTransferId: 'x' }], false],
    ['belong together, made for it', {}, [{ ...QUOTE, acceptedTransferId: 't' }], true],
    ['may come together later', { quoteId: null }, [QUOTE], true],
    ['never do, of an asset without a quote', { quoteId: null }, [OTHER], false],
    ['do not, of one that does not count', { isMatched: false }, [QUOTE], false],
    ['need not, of one that does not count', { isMatched: false, quoteId: null }, [], true],
  ])('%s', (_, fields, quotes, expected) => {
    expect(isAttributable({ ...TRANSFER, ...fields }, quotes)).toBe(expected);
  });
});
