import { NO_FILTERS, type PaymentFilters } from './filters.pure.js';
import { exportQuery, listQuery } from './query.pure.js';

const filters = (changes: Partial<PaymentFilters>): PaymentFilters => ({ ...NO_FILTERS, ...changes });

it.each<[Partial<PaymentFilters>, object]>([
  [{}, {}],
  [{ status: ['OPEN', 'FOUND'] }, { status: ['OPEN', 'FOUND'] }],
  [{ attention: 'reorg' }, { reviewReason: 'reorg' }],
  [{ attention: 'overpaid_held' }, { reviewReason: 'overpaid' }],
  [{ attention: 'funds_after_end' }, { reviewReason: 'funds_after_cancel' }],
  [{ attention: 'unmatched_funds' }, { unmatchedFunds: true }],
  [{ attention: 'late_funds' }, { late: true, status: ['FOUND', 'UNDERPAID'] }],
  [{ attention: 'overpaid' }, { overpaid: true }],
  [{ attention: 'expired_with_funds' }, { expiredWithFunds: true }],
  [
    { application: 'a1', network: 'base', coin: 'USDC' },
    { paymentApplicationId: ['a1'], blockchain: 'base', coin: 'USDC' },
  ],
  [
    { currency: 'USD', min: '10.005', max: '20.009' },
    { currencyCode: 'USD', amountFrom: '1001', amountTo: '2000' },
  ],
  [{ search: 'ORDER' }, { search: 'ORDER' }],
])('asks the list by %j for %j', (changes, query) => {
  expect(listQuery(filters(changes), 2)).toEqual(query);
});

it('leaves amounts out while the decimals of the currency are not known', () => {
  expect(listQuery(filters({ currency: 'USD', min: '1' }), undefined)).toEqual({ currencyCode: 'USD' });
});

it('asks for whole days of the reader', () => {
  const { dateFrom = '', dateTo = '' } = listQuery(filters({ since: '2026-01-31', until: '2026-01-31' }), 2);
  expect(new Date(dateFrom)).toEqual(new Date(2026, 0, 31));
  expect(new Date(Date.parse(dateTo) + 1)).toEqual(new Date(2026, 1, 1));
});

it.each<[Partial<PaymentFilters>, object]>([
  [{}, {}],
  [
    { status: ['OPEN'], application: 'a1' },
    { status: ['OPEN'], paymentApplicationId: 'a1' },
  ],
  [
    { currency: 'USD', search: 'x' },
    { currencyCode: 'USD', search: 'x' },
  ],
  [{ attention: 'unmatched_funds' }, { unmatchedFunds: true }],
  [{ attention: 'reorg' }, { reviewReason: 'reorg' }],
  [
    { network: 'base', coin: 'USDC' },
    { blockchain: 'base', coin: 'USDC' },
  ],
  [
    { currency: 'USD', min: '1', max: '2' },
    { currencyCode: 'USD', amountFrom: '100', amountTo: '200' },
  ],
])('exports by %j: %j', (changes, query) => {
  expect(exportQuery(filters(changes), 2)).toEqual(query);
});
