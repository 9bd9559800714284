import {
  SQL_MAY_BE_TWICE,
  SQL_OWED,
  SQL_PAID_LATE,
  SQL_PROMISED,
  SQL_TWIN,
} from './too-much-sql.repository.js';

describe('what is too much, in SQL', () => {
  it('counts the refunds of the payment that is asked about, and no ended ones', () => {
    expect(SQL_PROMISED('o')).toContain('g.payment_id = o.id');
    expect(SQL_PROMISED('o')).toContain("not in ('CANCELLED', 'EXPIRED')");
  });

  it.each([
    ['an excess', SQL_OWED, 'p'],
    ['a second payment', SQL_MAY_BE_TWICE, 'p'],
    ['a payment that was paid late', SQL_PAID_LATE, 'p'],
    ['the first payment', SQL_TWIN, 'o'],
  ])('takes from %s what its own refunds promise', (_what, sql, alias) => {
    expect(sql).toContain(SQL_PROMISED(alias));
  });
});
