import type { PaymentAggregate, Quote, Transfer } from '../../payments/payment.pure.js';
import { usedRates } from './receipt-rates.pure.js';

const LOCKED_AT = new Date('2026-01-15T10:00:00.500Z');
const quote = (id: string, changes: Partial<Quote> = {}) =>
  ({
    id,
    currencyCode: 'ETH',
    rate: '2000',
    rateSource: 'median(kraken,coinbase)',
    lockedAt: LOCKED_AT,
    isLate: false,
    acceptedTransferId: null,
    ...changes,
  }) as Quote;
const state = (quotes: Quote[], paid: (string | null)[]) =>
  ({
    payment: { currencyCode: 'USD' },
    quotes,
    transfers: paid.map((quoteId) => ({ quoteId }) as Transfer),
  }) as PaymentAggregate;

describe('the rates of a receipt', () => {
  it('are those that value a transfer, once each, with their prices', () => {
    const prices = new Map([['b', [{ source: 'kraken', value: '2000' }]]]);
    expect(usedRates(state([quote('a'), quote('b')], ['b', 'b', null]), prices)).toEqual([
      {
        quoteId: 'b',
        base: 'ETH',
        quote: 'USD',
        value: '2000',
        lockedAt: '2026-01-15T10:00:00Z',
        kind: 'locked',
        method: 'median(kraken,coinbase)',
        prices: [{ source: 'kraken', value: '2000' }],
      },
    ]);
  });

  it.each([
    [{}, 'locked'],
    [{ isLate: true }, 'late'],
    [{ acceptedTransferId: 't' }, 'accepted'],
  ])('%j: %s', (changes, kind) => {
    expect(usedRates(state([quote('a', changes)], ['a']), new Map())).toMatchObject([{ kind, prices: [] }]);
  });
});
