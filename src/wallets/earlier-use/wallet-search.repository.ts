import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { requireTransaction } from '../../platform/database/unit-of-work.js';
import { WalletEntity } from '../wallet.entity.js';
import { type ServingWallet, WALLET_COLUMNS } from '../wallet.repository.js';
import { WalletSearchEntity } from './wallet-search.entity.js';

/** A wallet and a chain that has not said yet which of its addresses were used. */
export interface DueSearch {
  wallet: ServingWallet & Pick<WalletEntity, 'nextIndex'>;
  chain: string;
}

const WALLET = columnsOf(WalletEntity, 'w', [...WALLET_COLUMNS, 'nextIndex']);

// The addresses of a treasury have a namespace of their own: nobody else can have handed them out.
const DUE = `
  select ${WALLET.list}, c.slug as chain
  from wallets w join unnest($1::text[], $2::text[]) as c (slug, family) on c.family = w.family
  where w.retired_at is null and w.masked_key not like 'treasury(%' and w.id <> all ($3::uuid[])
    and not exists (select 1 from wallet_searches s where s.wallet_id = w.id and s.chain = c.slug)
  order by c.slug, w.id limit $4`;
const FIND_BY_KEY = `select ${WALLET.list} from wallets w where w.key_hash = $1`;
const LOCK_COUNTER = `select w.next_index as "nextIndex" from wallets w where w.id = $1 for update`;
const MOVE_COUNTER = `update wallets set next_index = $2 where id = $1 and next_index < $2`;
// What the counter is moved by later comes on top; first_index + skipped stays the place where it went on last.
const SAVE = `
  insert into wallet_searches (wallet_id, chain, first_index, skipped, is_visible, searched_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (wallet_id, chain) do update set first_index = excluded.first_index - wallet_searches.skipped,
    skipped = wallet_searches.skipped + excluded.skipped, searched_at = excluded.searched_at
  where excluded.skipped > 0`;

/** What the chains said about wallets, and the counters that follow from it. */
@Injectable()
export class WalletSearchRepository {
  constructor(
    @InjectRepository(WalletSearchEntity) private readonly searches: Repository<WalletSearchEntity>,
    private readonly sql: Sql,
  ) {}

  listOf(walletIds: readonly string[]): Promise<WalletSearchEntity[]> {
    return this.searches.findBy({ walletId: In([...walletIds]) });
  }

  /** Active wallets of keys, by chain. @param without ids of wallets */
  async listDue(
    chains: readonly { slug: string; family: string }[],
    without: readonly string[],
    limit: number,
  ): Promise<DueSearch[]> {
    const slugs = chains.map(({ slug }) => slug);
    const families = chains.map(({ family }) => family);
    const rows = await this.sql.query<{ chain: string }>(DUE, [slugs, families, without, limit]);
    return rows.map((row) => ({ wallet: WALLET.toEntity(row), chain: row.chain }));
  }

  async findByKeyHash(keyHash: Buffer): Promise<Pick<WalletEntity, 'retiredAt' | 'nextIndex'> | null> {
    const [row] = await this.sql.query<object>(FIND_BY_KEY, [keyHash]);
    return row ? WALLET.toEntity(row) : null;
  }

  /** The counter, which nobody moves until the transaction ends. */
  async lockCounter(walletId: string): Promise<number> {
    requireTransaction('wallet searches');
    const [row] = await this.sql.query<{ nextIndex: string }>(LOCK_COUNTER, [walletId]);
    if (!row) throw new Error(`wallet ${walletId} does not exist`);
    return Number(row.nextIndex);
  }

  async moveCounter(walletId: string, nextIndex: number): Promise<void> {
    await this.sql.query(MOVE_COUNTER, [walletId, nextIndex]);
  }

  async save({
    walletId,
    chain,
    firstIndex,
    skipped,
    isVisible,
    searchedAt,
  }: WalletSearchEntity): Promise<void> {
    await this.sql.query(SAVE, [walletId, chain, firstIndex, skipped, isVisible, searchedAt]);
  }

  async isKnown(walletId: string, chain: string): Promise<boolean> {
    return this.searches.existsBy({ walletId, chain });
  }

  /** The wallet is looked at once more. */
  async deleteOf(walletId: string): Promise<void> {
    await this.searches.delete({ walletId });
  }
}
