import {
  countMore,
  crossedOf,
  isFiltered,
  NO_FILTERS,
  readFilters,
  writeFilters,
  QUEUED,
  ATTENTION_FILTERS,
} from './filters.pure.js';

const NONE = NO_FILTERS;
const ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';

it.each([
  ['', NONE],
  ['status=UNDERPAID,OPEN', { ...NONE, status: ['OPEN', 'UNDERPAID'] }],
  ['status=PAID,open', NONE],
  ['search=%20ORDER-1%20', { ...NONE, search: 'ORDER-1' }],
  [`application=${ID}`, { ...NONE, application: ID }],
  ["application='%20or%201=1", NONE],
  ['attention=late_funds', { ...NONE, attention: 'late_funds' }],
  ['attention=late_funds&status=OPEN', { ...NONE, attention: 'late_funds' }],
  ['attention=anything', NONE],
  ['network=base&coin=USDC', { ...NONE, network: 'base', coin: 'USDC' }],
  ['network=../x', NONE],
  ['currency=EUR&min=10.50&max=20', { ...NONE, currency: 'EUR', min: '10.50', max: '20' }],
  ['min=10&max=20', NONE],
  ['currency=EUR&min=-1&max=1e9', { ...NONE, currency: 'EUR' }],
  ['since=2026-01-31&until=2026-02-28', { ...NONE, since: '2026-01-31', until: '2026-02-28' }],
  ['since=2026-13-01&until=yesterday', NONE],
  ['after=abc', NONE],
])('reads %s', (query, filters) => {
  expect(readFilters(new URLSearchParams(query))).toEqual(filters);
});

it('cuts a search that the API would refuse', () => {
  expect(readFilters(new URLSearchParams({ search: 'a'.repeat(300) })).search).toHaveLength(255);
});

it('reads what it writes', () => {
  const filters = {
    ...NONE,
    status: ['OPEN' as const, 'FOUND' as const],
    search: 'a & b',
    application: ID,
    network: 'base',
    coin: 'USDC',
    currency: 'USD',
    min: '1',
    max: '2.50',
    since: '2026-01-01',
    until: '2026-01-31',
  };
  expect(readFilters(writeFilters(filters))).toEqual(filters);
  expect(writeFilters(NONE).toString()).toBe('');
});

it('counts what is out of sight', () => {
  expect(countMore({ ...NONE, search: 'x', status: ['OPEN'] })).toBe(0);
  expect(countMore({ ...NONE, coin: 'BTC', since: '2026-01-01' })).toBe(2);
});

it('is filtered by anything that is set', () => {
  expect(isFiltered(NONE)).toBe(false);
  expect(isFiltered({ ...NONE, search: 'x' })).toBe(true);
  expect(isFiltered({ ...NONE, attention: 'reorg' })).toBe(true);
});

it.each([
  [{ since: '2026-11-30', until: '2026-11-01' }, ['filters.since', 'filters.until']],
  [{ since: '2026-11-30', until: '2026-11-30' }, null],
  [{ since: '2026-11-30' }, null],
  [{ min: '100', max: '1' }, ['filters.min', 'filters.max']],
  [{ min: '9', max: '10' }, null],
  [{ min: '0.000000000000000002', max: '0.000000000000000001' }, ['filters.min', 'filters.max']],
  [{ min: '1.50', max: '1.5' }, null],
  [{ min: '12345678901234567', max: '12345678901234566.99' }, ['filters.min', 'filters.max']],
  [{ max: '1' }, null],
  [{}, null],
])('says which fields of %j end before they begin', (filters, expected) => {
  expect(crossedOf(filters)).toEqual(expected);
});

it('leads to Attention for every reason that neither a status nor a filter of the list shows', () => {
  expect(QUEUED).toEqual([
    'integrity',
    'refund_failed',
    'refund_waits',
    'unlisted_token',
    'paid_late',
    'paid_twice',
  ]);
  expect(QUEUED.filter((kind) => ATTENTION_FILTERS.some((one) => one === kind))).toEqual([]);
});
