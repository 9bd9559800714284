import { firstOfEach } from './first-of-each.pure.js';

it('reads each key by itself, under the conditions of the index', () => {
  const text = firstOfEach({
    table: 'parcels',
    key: 'order_id',
    order: 'sent_at',
    among: 't.owner = $1',
    isOne: 't.is_lost',
  });
  const words = text.replaceAll(/\s+/g, ' ').trim();
  expect(words).toBe(
    'with recursive reached (key) as ( ' +
      '(select t.order_id from parcels t where t.owner = $1 order by t.order_id limit 1) union all ' +
      'select (select t.order_id from parcels t where t.owner = $1 and t.order_id > r.key order by t.order_id limit 1) ' +
      'from reached r where r.key is not null ) ' +
      'select r.key, one.first from reached r cross join lateral ( ' +
      'select t.sent_at as first from parcels t ' +
      'where t.owner = $1 and t.order_id = r.key and t.is_lost order by t.sent_at limit 1) one',
  );
});
