import { isFiltered, readFilters, writeFilters } from './filters.pure.js';

const NONE = { status: [], search: '', paymentApplicationId: '', unmatchedFunds: false, page: 1 };
const ID = '0190f6a0-0000-7000-8000-000000000000';

it.each([
  ['', NONE],
  ['status=UNDERPAID,OPEN', { ...NONE, status: ['OPEN', 'UNDERPAID'] }],
  ['status=PAID,open', NONE],
  ['search=%20ORDER-1%20', { ...NONE, search: 'ORDER-1' }],
  [`application=${ID}`, { ...NONE, paymentApplicationId: ID }],
  ["application='%20or%201=1", NONE],
  ['unmatched=true', { ...NONE, unmatchedFunds: true }],
  ['unmatched=yes', NONE],
  ['page=3', { ...NONE, page: 3 }],
  ['page=0', NONE],
  ['page=-1', NONE],
  ['page=1e3', NONE],
  ['page=99999999', NONE],
])('reads %s', (query, filters) => {
  expect(readFilters(new URLSearchParams(query))).toEqual(filters);
});

it('cuts a search that the API would refuse', () => {
  expect(readFilters(new URLSearchParams({ search: 'a'.repeat(300) })).search).toHaveLength(255);
});

it('reads what it writes', () => {
  const filters = {
    status: ['OPEN' as const, 'FOUND' as const],
    search: 'a & b',
    paymentApplicationId: ID,
    unmatchedFunds: true,
    page: 2,
  };
  expect(readFilters(writeFilters(filters))).toEqual(filters);
  expect(writeFilters(NONE).toString()).toBe('');
});

it('does not count the page as a filter', () => {
  expect(isFiltered({ ...NONE, page: 2 })).toBe(false);
  expect(isFiltered({ ...NONE, search: 'x' })).toBe(true);
});
