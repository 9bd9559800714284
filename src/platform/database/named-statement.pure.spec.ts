import { namedStatement } from './named-statement.pure.js';

describe('namedStatement', () => {
  it('numbers names in the order of their first use and reuses the number of a repeated name', () => {
    const statement = namedStatement<{ now: Date; limit: number }>(
      'select * from t where due <= :now and (:limit > 0 or made <= :now) limit :limit',
    );
    expect(statement.text).toBe('select * from t where due <= $1 and ($2 > 0 or made <= $1) limit $2');
    const now = new Date(0);
    expect(statement.values({ limit: 3, now })).toEqual([now, 3]);
  });

  it('leaves casts alone', () => {
    const { text } = namedStatement<{ ids: string[] }>('select unnest(:ids::uuid[])::text');
    expect(text).toBe('select unnest($1::uuid[])::text');
  });

  it('throws when a value is missing, so that a misspelled name is not sent as null', () => {
    const statement = namedStatement<object>('select :since::timestamptz');
    expect(() => statement.values({ sinse: null })).toThrow('the statement has no value for :since');
  });
});
