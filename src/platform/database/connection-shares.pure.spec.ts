import { ConnectionShares } from './connection-shares.pure.js';

/** Shares of a pool with callers that wait already, as `tenant: item`. */
function sharesOf(size: number, ...waiting: [tenant: string | null, item: string][]) {
  const shares = new ConnectionShares<string>(size);
  for (const [tenant, item] of waiting) shares.add(tenant, item);
  return shares;
}

/** Items in the order in which they get a connection, until none can have one. */
function drain(shares: ConnectionShares<string>): string[] {
  const items: string[] = [];
  for (let next = shares.next(); next; next = shares.next()) items.push(next.item);
  return items;
}

describe('ConnectionShares', () => {
  it.each([
    [1, 1],
    [2, 1],
    [4, 3],
    [16, 12],
    [200, 150],
  ])('lets one tenant hold, of %i connections, %i', (size, perTenant) => {
    expect(new ConnectionShares(size).perTenant).toBe(perTenant);
  });

  it('keeps the reserve for others while one tenant waits for more than its share', () => {
    const shares = sharesOf(4, ['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['a', 'a4'], ['a', 'a5']);
    expect(drain(shares)).toEqual(['a1', 'a2', 'a3']);
    shares.add('b', 'b1');
    expect(drain(shares)).toEqual(['b1']);
    expect(shares.waitingCount).toBe(2);
  });

  it('gives the next connection to the tenant that holds the fewest, in order of arrival among equals', () => {
    const shares = sharesOf(2, ['a', 'a1'], ['b', 'b1']);
    expect(drain(shares)).toEqual(['a1', 'b1']);
    for (const item of ['a2', 'a3']) shares.add('a', item);
    for (const item of ['b2', 'c1']) shares.add(item.charAt(0), item);
    shares.release('a');
    // Tenant a holds none now and came first; b holds its only one.
    expect(drain(shares)).toEqual(['a2']);
    shares.release('a');
    expect(drain(shares)).toEqual(['a3']);
    shares.release('b');
    expect(drain(shares)).toEqual(['b2']);
  });

  it('gives the own work of the gateway every free connection first', () => {
    const shares = sharesOf(2, ['a', 'a1'], [null, 'loop 1'], [null, 'loop 2'], [null, 'loop 3']);
    expect(drain(shares)).toEqual(['loop 1', 'loop 2']);
    shares.release(null);
    expect(drain(shares)).toEqual(['loop 3']);
  });

  it('forgets what no longer waits', () => {
    const shares = sharesOf(4, ['a', 'a1'], ['a', 'a2']);
    shares.remove('a1');
    expect(drain(shares)).toEqual(['a2']);
    shares.add('a', 'a3');
    expect(shares.removeAll()).toEqual(['a3']);
    expect(shares.waitingCount).toBe(0);
  });

  it('fails when more is released than was held', () => {
    const shares = sharesOf(2, ['a', 'a1']);
    shares.next();
    shares.release('a');
    expect(() => shares.release('a')).toThrow('more than it took');
  });
});
