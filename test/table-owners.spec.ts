import { checkTableOwners, ownersOf, tablesWithoutEntity } from '../scripts/table-owners.mjs';

const OWNERS = new Map([
  ['orders', 'shop'],
  ['parcels', 'post'],
  ['stamps', 'post'],
]);
const READERS = { parcels: { shop: 'shows where an order is' } };
const WRITERS = { stamps: { shop: 'a label is printed with the order' } };

const check = (file: string, text: string) =>
  checkTableOwners(
    new Map([
      [file, text],
      ['src/shop/where.repository.ts', 'const A = `select 1 from parcels`;'],
      ['src/shop/label.repository.ts', 'const A = `update stamps set x = 1`;'],
    ]),
    { owners: OWNERS, readers: READERS, writers: WRITERS },
  );

describe('the check of table owners', () => {
  it.each([
    ['src/shop/order.repository.ts', 'select id from orders'],
    ['src/shop/order.repository.ts', 'update orders set id = 1'],
    ['src/shop/order.repository.ts', 'select id from orders join parcels on true'],
    ['src/shop/order.repository.ts', 'select id from orders for no key update of orders'],
    ['src/shop/order.repository.ts', 'insert into stamps values (1)'],
    ['src/shop/order.repository.ts', 'select id from stamps'],
    ['src/shop/orders.service.ts', 'Could not update orders'],
    ['src/shop/orders.service.ts', 'select one of the options'],
    ['src/post/parcel.repository.ts', "insert into parcels values ('${'x'}')"],
  ])('accepts in %s: %s', (file, sql) => {
    expect(check(file, `const SQL = \`${sql}\`;`)).toEqual([]);
  });

  it.each([
    ['src/shop/orders.service.ts', 'select id from orders', 'SQL of orders outside of a *.repository.ts'],
    ['src/shop/orders.service.ts', 'from orders o where true', 'SQL of orders outside of a *.repository.ts'],
    [
      'src/shop/orders.service.ts',
      'due as (select 1 from orders)',
      'SQL of orders outside of a *.repository.ts',
    ],
    [
      'src/post/parcel.repository.ts',
      'select id from parcels join orders on true',
      'SQL of orders, which belongs to shop',
    ],
    [
      'src/post/parcel.repository.ts',
      'insert into orders values (1)',
      'insert into of orders, which belongs to shop',
    ],
    ['src/shop/order.repository.ts', 'delete from parcels', 'delete from of parcels, which belongs to post'],
    ['src/food/order.repository.ts', 'delete from stamps', 'delete from of stamps, which belongs to post'],
    [
      'src/shop/order.repository.ts',
      'with a as (select 1) update parcels set x = 1',
      'update of parcels, which belongs to post',
    ],
  ])('fails in %s: %s', (file, sql, problem) => {
    expect(check(file, `const SQL = \`${sql}\`;`)).toEqual([`${file}:1: ${problem}`]);
  });

  it('reads the parts of a template around its expressions', () => {
    const problems = check('src/shop/orders.service.ts', 'const SQL = `select ${list} from orders`;');
    expect(problems).toEqual(['src/shop/orders.service.ts:1: SQL of orders outside of a *.repository.ts']);
  });

  it('takes the owner of a table from its entity', () => {
    const files = new Map([['src/identity/oauth/people/user.entity.ts', "@Entity('users')\nclass User {}"]]);
    expect([...ownersOf(files)]).toEqual([['users', 'identity/oauth']]);
  });

  it('fails on a table without an entity', () => {
    const schema = 'create table orders (\n  id int\n);\ncreate table crates (id int);';
    expect(tablesWithoutEntity(schema, OWNERS)).toEqual(['crates: a table without an entity']);
  });

  it.each([
    [
      undefined,
      [
        'parcels shop: a declared reader that does not read',
        'stamps shop: a declared writer that does not write',
      ],
    ],
    ['select 1 from parcels join stamps on true', ['stamps shop: a declared writer that does not write']],
    ['update stamps set x = 1', ['parcels shop: a declared reader that does not read']],
  ])('fails on a declared reader or writer that does not use the table: %s', (sql, problems) => {
    const rules = { owners: OWNERS, readers: READERS, writers: WRITERS };
    const files = new Map(sql === undefined ? [] : [['src/shop/a.repository.ts', `const A = \`${sql}\`;`]]);
    expect(checkTableOwners(files, rules)).toEqual(problems);
  });
});
