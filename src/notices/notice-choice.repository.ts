import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { NoticeChoiceEntity } from './notice-choice.entity.js';
import type { ChosenKind } from './notice-kinds.pure.js';

const CHOICE = columnsOf(NoticeChoiceEntity, 'c');
const FIND = `select ${CHOICE.list} from notice_choices c where c.user_id = $1`;
const LIST_OF = `
  select ${CHOICE.list} from notice_choices c
  where c.user_id = any($1::text[]) and $2 = any(c.kinds) order by c.user_id`;
const LIST_ALL = `select ${CHOICE.list} from notice_choices c where $1 = any(c.kinds) order by c.user_id`;
const SAVE = bulkInsert(
  NoticeChoiceEntity,
  ['userId', 'kinds', 'applicationIds', 'language', 'updatedAt'],
  `on conflict (user_id) do update set kinds = excluded.kinds, application_ids = excluded.application_ids,
     language = excluded.language, updated_at = excluded.updated_at`,
);
const DELETE = 'delete from notice_choices where user_id = $1';

/** What people want to be told (notice_choices). Ids of an identity provider of the operator have no row. */
@Injectable()
export class NoticeChoiceRepository {
  constructor(private readonly sql: Sql) {}

  async find(userId: string): Promise<NoticeChoiceEntity | null> {
    const [row] = await this.sql.query<object>(FIND, [userId]);
    return row ? CHOICE.toEntity(row) : null;
  }

  async save(choice: NoticeChoiceEntity): Promise<void> {
    await this.sql.query(SAVE.text, SAVE.values([choice]));
  }

  async delete(userId: string): Promise<void> {
    await this.sql.query(DELETE, [userId]);
  }

  /** Of some users, those who chose the kind. */
  async listOf(userIds: readonly string[], kind: ChosenKind): Promise<NoticeChoiceEntity[]> {
    if (userIds.length === 0) return [];
    return (await this.sql.query<object>(LIST_OF, [userIds, kind])).map((row) => CHOICE.toEntity(row));
  }

  /** Everybody who chose the kind. */
  async listAll(kind: ChosenKind): Promise<NoticeChoiceEntity[]> {
    return (await this.sql.query<object>(LIST_ALL, [kind])).map((row) => CHOICE.toEntity(row));
  }
}
