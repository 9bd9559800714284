import { Column, Entity, PrimaryColumn } from 'typeorm';
import { encryptedColumn } from './encrypted-column.js';

@Entity('vaults')
class Vault {
  @PrimaryColumn({ name: 'vault_id', type: 'uuid' })
  id: string;

  @Column({ name: 'sealed_content', type: 'text' })
  sealedContent: string;
}

const flat = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

describe('encryptedColumn', () => {
  const column = encryptedColumn(Vault, 'id', 'sealedContent', 'vault-content');

  it('is named by table and column', () => {
    expect([column.name, column.purpose]).toEqual(['vaults.sealed_content', 'vault-content']);
  });

  it('selects and locks the rows of older keys, in order of the id as text', () => {
    expect(flat(column.select)).toBe(
      `select vault_id::text as id, sealed_content as sealed from vaults ` +
        `where split_part(sealed_content, '.', 2) <> $1 and vault_id::text > $2 ` +
        `order by vault_id::text limit $3 for no key update`,
    );
  });

  it('replaces a value only while it is the one that was read', () => {
    expect(flat(column.update)).toBe(
      'update vaults set sealed_content = $2 where vault_id = $1::uuid and sealed_content = $3',
    );
  });
});
