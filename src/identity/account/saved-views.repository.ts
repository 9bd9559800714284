import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { SavedViewsEntity } from './saved-views.entity.js';

const SAVED = columnsOf(SavedViewsEntity, 's');
const FIND = `select ${SAVED.list} from saved_views s where s.user_id = $1`;
const SAVE = bulkInsert(
  SavedViewsEntity,
  ['userId', 'views', 'updatedAt'],
  'on conflict (user_id) do update set views = excluded.views, updated_at = excluded.updated_at',
);

const CLEAR = `update saved_views set views = '{}' where user_id = $1`;

/** What users have saved in a dashboard (saved_views). */
@Injectable()
export class SavedViewsRepository {
  constructor(private readonly sql: Sql) {}

  async find(userId: string): Promise<SavedViewsEntity | null> {
    const [row] = await this.sql.query<object>(FIND, [userId]);
    return row ? SAVED.toEntity(row) : null;
  }

  /** Forgets the views of a user who is erased, if there are any. */
  async clear(userId: string): Promise<void> {
    await this.sql.query(CLEAR, [userId]);
  }

  /** Replaces all views of the user. */
  async save(saved: SavedViewsEntity): Promise<void> {
    await this.sql.query(SAVE.text, SAVE.values([saved]));
  }
}
