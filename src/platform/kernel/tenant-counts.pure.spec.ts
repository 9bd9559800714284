import { groupOf, strangerOf, TenantCounts } from './tenant-counts.pure.js';

const ADDRESS = '203.0.113.9';

it('names a stranger by payment and address', () => {
  expect(strangerOf(null, ADDRESS)).toBe('strangers & address 203.0.113.9');
  expect(strangerOf('p', ADDRESS)).toBe('payment p & address 203.0.113.9');
});

it.each([
  [strangerOf(null, ADDRESS), 'strangers'],
  [strangerOf('p', ADDRESS), 'payment p'],
  ['user a', 'user a'],
])('%s belongs to %s', (tenant, group) => {
  expect(groupOf(tenant)).toBe(group);
});

describe('what a tenant has', () => {
  it.each([
    ['of a user: of none other', 'user a', 2],
    ['of another user: nothing', 'user b', 0],
    ['of a payment: from all addresses', strangerOf('p', '203.0.113.1'), 3],
    ['of an address: with all payments', strangerOf('q', ADDRESS), 2],
    ['of an address alone: the same', strangerOf(null, ADDRESS), 2],
    ['of another stranger: what all strangers have', strangerOf(null, '203.0.113.99'), 1],
    ['of another payment and address: nothing', strangerOf('q', '203.0.113.98'), 0],
    ['of the gateway itself', null, 1],
  ])('is counted %s', (_what, tenant, expected) => {
    const counts = new TenantCounts();
    for (const one of ['user a', 'user a', strangerOf('p', ADDRESS), strangerOf('p', '203.0.113.2'), null])
      counts.add(one, 1);
    counts.add(strangerOf('p', '203.0.113.3'), 1);
    counts.add(strangerOf(null, ADDRESS), 1);
    expect(counts.of(tenant)).toBe(expected);
  });

  it('is nothing once all is given back, and never less', () => {
    const counts = new TenantCounts();
    const tenant = strangerOf('p', ADDRESS);
    counts.add(tenant, 1);
    counts.add(tenant, -1);
    expect(counts.of(tenant)).toBe(0);
    expect(() => counts.add(tenant, -1)).toThrow('more than it took');
    expect(() => counts.add(null, -1)).toThrow('more than it took');
  });
});
