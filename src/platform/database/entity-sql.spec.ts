import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn, integerColumn } from './column-transformers.js';
import { bulkInsert, bulkUpdate, columnsOf, jsonOf, rowsOf } from './entity-sql.js';

@Entity('deposits')
class Deposit {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'owner_id', type: 'text' })
  ownerId: string;

  @Column(amountColumn('amount'))
  amount: bigint;

  @Column({ name: 'block_height', type: 'bigint', nullable: true, transformer: integerColumn })
  blockHeight: number | null;

  @Column({ type: 'text', array: true, nullable: true })
  inputs: string[] | null;

  @Column({ type: 'jsonb' })
  extra: unknown;

  @Column({ type: 'text', select: false })
  secret: string;

  notes: string;
}

describe('columnsOf()', () => {
  it('lists all columns under their property names, without those that are not selected', () => {
    expect(columnsOf(Deposit, 'd').list).toBe(
      'd.id, d.owner_id as "ownerId", d.amount, d.block_height as "blockHeight", d.inputs, d.extra',
    );
  });

  it('lists the named columns only, also one that is not selected by itself', () => {
    expect(columnsOf(Deposit, 'd', ['ownerId', 'secret']).list).toBe('d.owner_id as "ownerId", d.secret');
  });

  it('reads amounts as bigint and heights as numbers, and leaves out what the list does not have', () => {
    const { toEntity } = columnsOf(Deposit, 'd', ['id', 'amount', 'blockHeight']);
    const amount = `1${'0'.repeat(77)}`;
    expect(toEntity({ id: 'a', amount, blockHeight: '7', total: '3' })).toEqual({
      id: 'a',
      amount: BigInt(amount),
      blockHeight: 7,
    });
    expect(toEntity({ id: 'a', amount: '1', blockHeight: null }).blockHeight).toBeNull();
  });

  it('throws on a property that is not a column', () => {
    expect(() => columnsOf(Deposit, 'd', ['notes'])).toThrow('Deposit.notes is not a column');
    expect(() => columnsOf(class Plain {}, 'p')).toThrow('Plain is not an entity');
  });
});

describe('jsonOf()', () => {
  it('builds an object of the named columns, also of arrays and JSON', () => {
    expect(jsonOf(Deposit, 'd', ['id', 'ownerId', 'inputs', 'extra'])).toBe(
      `json_build_object('id', d.id, 'ownerId', d.owner_id, 'inputs', d.inputs, 'extra', d.extra)`,
    );
  });

  it('throws on a column whose value JSON would change', () => {
    expect(() => jsonOf(Deposit, 'd', ['amount'])).toThrow('Deposit.amount would change in JSON');
    expect(() => jsonOf(Deposit, 'd', ['blockHeight'])).toThrow('Deposit.blockHeight would change in JSON');
  });
});

describe('rowsOf()', () => {
  it('numbers its parameters after those of the statement', () => {
    const rows = rowsOf(Deposit, ['id', 'amount'], { after: 2, as: 'paid' });
    expect(rows.from).toBe('unnest($3::uuid[], $4::numeric[]) as paid (id, amount)');
    expect(rows.values([{ id: 'a', amount: 5n }])).toEqual([['a'], [5n]]);
  });

  it('numbers its rows when asked to', () => {
    const { from, columns } = rowsOf(Deposit, ['id', 'amount'], { isNumbered: true });
    expect(from).toBe('unnest($1::uuid[], $2::numeric[]) with ordinality as row (id, amount, at)');
    expect(columns).toBe('id, amount');
  });

  it('hides the number of its rows from the planner when asked to', () => {
    const { from } = rowsOf(Deposit, ['id', 'amount'], { isPlannedOnce: true });
    expect(from).toBe('unnest((select $1::uuid[]), $2::numeric[]) as row (id, amount)');
  });
});

describe('bulkInsert()', () => {
  it('binds one array per column, in one statement', () => {
    const insert = bulkInsert(Deposit, ['id', 'blockHeight'], 'on conflict (id) do nothing');
    expect(insert.text).toBe(
      'insert into deposits (id, block_height) select row.id, row.block_height ' +
        'from unnest($1::uuid[], $2::bigint[]) as row (id, block_height) on conflict (id) do nothing',
    );
    expect(insert.values([])).toEqual([[], []]);
    expect(
      insert.values([
        { id: 'a', blockHeight: 1 },
        { id: 'b', blockHeight: null },
      ]),
    ).toEqual([
      ['a', 'b'],
      [1, null],
    ]);
  });

  it('binds array columns of different lengths as array literals with quoted elements', () => {
    const insert = bulkInsert(Deposit, ['inputs']);
    expect(insert.text).toContain('select row.inputs::text[] from unnest($1::text[])');
    const rows = [{ inputs: ['a:0', 'b"\\,{}'] }, { inputs: [] }, { inputs: null }];
    expect(insert.values(rows)).toEqual([['{"a:0","b\\"\\\\,{}"}', '{}', null]]);
  });

  it('binds JSON as JSON text: an array, a string and an object', () => {
    const insert = bulkInsert(Deposit, ['extra']);
    expect(insert.values([{ extra: [1] }, { extra: 'x' }, { extra: { a: null } }, { extra: null }])).toEqual([
      ['[1]', '"x"', '{"a":null}', null],
    ]);
  });
});

describe('bulkUpdate()', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const update = bulkUpdate(Deposit, { key: ['id'], set: ['amount', 'inputs'] });
  const rows = [
    { id: 'a', amount: 1n, inputs: ['x', 'y'], expected: {} },
    { id: 'b', amount: 2n, inputs: null, expected: {} },
  ];

  it('finds rows by their key and returns it', () => {
    const [text, values] = update(rows);
    expect(plain(text)).toBe(
      'update deposits t set amount = row.amount, inputs = row.inputs::text[] ' +
        'from unnest($1::uuid[], $2::numeric[], $3::text[]) as row (id, amount, inputs) ' +
        'where t.id = row.id returning t.id',
    );
    expect(values).toEqual([
      ['a', 'b'],
      [1n, 2n],
      ['{"x","y"}', null],
    ]);
  });

  it('has one parameter per column for a single row', () => {
    const [text, values] = update(rows.slice(0, 1));
    expect(plain(text)).toBe(
      'update deposits t set amount = row.amount, inputs = row.inputs::text[] ' +
        'from (select $1::uuid as id, $2::numeric as amount, $3::text as inputs) as row ' +
        'where t.id = row.id returning t.id',
    );
    expect(values).toEqual(['a', 1n, '{"x","y"}']);
  });

  it('leaves out rows whose expected columns have changed', () => {
    const guarded = bulkUpdate(Deposit, { key: ['id'], set: ['ownerId'], expected: ['ownerId'] });
    const [text, values] = guarded([{ id: 'a', ownerId: 'new', expected: { ownerId: 'old' } }]);
    expect(text).toContain('$3::text as expected_owner_id');
    expect(text).toContain('where t.id = row.id and t.owner_id = row.expected_owner_id');
    expect(values).toEqual(['a', 'new', 'old']);
  });

  it('updates nothing for an empty list', () => {
    expect(update([])[1]).toEqual([[], [], []]);
  });
});
