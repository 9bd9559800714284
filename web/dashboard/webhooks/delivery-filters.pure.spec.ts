import { deliveryFilters } from './delivery-filters.pure.js';

it.each<[string, object]>([
  ['', {}],
  ['application=&status=', {}],
  ['application=a&status=FAILED', { paymentApplicationId: ['a'], status: 'FAILED' }],
  ['after=c', { after: 'c' }],
  ['from=2026-01-31', { from: new Date(2026, 0, 31).toISOString() }],
  ['to=2026-01-31', { to: new Date(2026, 0, 31, 23, 59, 59).toISOString() }],
  ['from=today', {}],
])('the address "%s" asks for %j', (address, asked) =>
  expect(deliveryFilters(new URLSearchParams(address))).toEqual({ limit: 50, ...asked }),
);
