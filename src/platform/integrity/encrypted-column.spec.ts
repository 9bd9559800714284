import { Column, Entity, PrimaryColumn } from 'typeorm';
import { encryptedColumn } from './encrypted-column.js';
import { Keyring } from '../kernel/keyring.js';

const OLD = { id: 'k1', key: Buffer.alloc(32, 1) };
const NEW = { id: 'k2', key: Buffer.alloc(32, 2) };

@Entity('vaults')
class Vault {
  @PrimaryColumn({ name: 'vault_id', type: 'uuid' })
  id: string;

  @Column({ name: 'sealed_content', type: 'text' })
  sealedContent: string;
}

@Entity('boxes')
class Box {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ name: 'sealed_content', type: 'text' })
  sealedContent: string;
}

const contextOfBox = ({ id, label }: Pick<Box, 'id' | 'label'>) => `${id} ${label}`;

const flat = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

describe('encryptedColumn', () => {
  const column = encryptedColumn(Vault, 'id', 'sealedContent', 'vault-content');

  it('is named by table and column', () => {
    expect(column).toMatchObject({ name: 'vaults.sealed_content', action: 'encrypted' });
  });

  it('selects and locks the rows of older keys, in order of the id as text', () => {
    expect(flat(column.select)).toBe(
      `select t.vault_id::text as "rowId", t.sealed_content as "rowValue" from vaults t ` +
        `where split_part(t.sealed_content, '.', 2) <> $1 and t.vault_id::text > $2 ` +
        `order by t.vault_id::text limit $3 for no key update`,
    );
  });

  it('replaces a value only while it is the one that was read', () => {
    expect(flat(column.update)).toBe(
      'update vaults set sealed_content = $2 where vault_id = $1::uuid and sealed_content = $3',
    );
  });

  it('renews a value for the same purpose and id, or for what its columns say', () => {
    const sealedFor = { purpose: 'box', properties: ['id', 'label'] as const, contextOf: contextOfBox };
    const box = encryptedColumn(Box, 'id', 'sealedContent', sealedFor);
    expect(flat(box.select)).toContain('as "rowValue", t.id, t.label from boxes t');
    const [old, both] = [new Keyring([OLD]), new Keyring([NEW, OLD])];
    const vault = { rowId: 'v1', rowValue: old.seal('vault-content', 'v1', 'plain') };
    const renewed = column.renew(both, vault) ?? '';
    expect(new Keyring([NEW]).unseal('vault-content', 'v1', renewed)).toBe('plain');
    const row = { id: 'b1', label: 'red', rowId: 'b1', rowValue: old.seal('box', 'b1 red', 'plain') };
    expect(new Keyring([NEW]).unseal('box', 'b1 red', box.renew(both, row) ?? '')).toBe('plain');
    const moved = { ...row, label: 'blue' };
    expect([column.renew(new Keyring([NEW]), vault), box.renew(both, moved)]).toEqual([null, null]);
  });
});
