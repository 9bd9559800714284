import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Keyring } from '../kernel/keyring.js';
import { macColumn } from './mac-column.js';

const OLD = { id: 'k1', key: Buffer.alloc(32, 1) };
const NEW = { id: 'k2', key: Buffer.alloc(32, 2) };

@Entity('labels')
class Label {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'shown_text', type: 'text' })
  shownText: string;

  @Column({ type: 'text' })
  mac: string;
}

const fieldsOf = ({ id, shownText }: Pick<Label, 'id' | 'shownText'>) => [id, shownText];
const column = macColumn(Label, 'mac', { purpose: 'label', fieldsOf });
const flat = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

describe('macColumn', () => {
  it('selects and locks the rows of older keys with all their columns, in order of the id', () => {
    expect(column).toMatchObject({ name: 'labels.mac', action: 'authenticated' });
    expect(flat(column.select)).toBe(
      `select t.id::text as "rowId", t.mac as "rowValue", t.id, t.shown_text as "shownText", t.mac from labels t ` +
        `where split_part(t.mac, '.', 2) <> $1 ` +
        `and t.id > coalesce(nullif($2, ''), '00000000-0000-0000-0000-000000000000')::uuid ` +
        `order by t.id limit $3 for no key update`,
    );
    expect(column.update).toBe('update labels set mac = $2 where id = $1::uuid and mac = $3');
  });

  it('renews the MAC of a row that is as it was written, and no other', () => {
    const [old, both] = [new Keyring([OLD]), new Keyring([NEW, OLD])];
    const row = { rowId: 'l1', rowValue: old.mac('label', ['l1', 'red']), id: 'l1', shownText: 'red' };
    const renewed = column.renew(both, row);
    expect(new Keyring([NEW]).isMacOf('label', ['l1', 'red'], renewed)).toBe(true);
    expect(column.renew(both, { ...row, shownText: 'blue' } as typeof row)).toBeNull();
    expect(column.renew(new Keyring([NEW]), row)).toBeNull();
  });
});
