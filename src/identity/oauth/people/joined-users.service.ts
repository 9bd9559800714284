import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../platform/database/entity-sql.js';
import { AuthenticatedRows } from '../../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../../platform/integrity/row-authenticator.service.js';
import { UserEntity, USERS } from './user.entity.js';
import type { UserState } from './user-state.pure.js';

const COLUMNS = columnsOf(UserEntity, 'u', [...USERS.fields, 'mac'], 'user_');

/** The columns of a user who is joined as `u`, for {@link JoinedUsers.stateOf}. */
export const JOINED_USER = COLUMNS.list;

/** The users of tokens and clients, which are read together with them. */
@Injectable()
export class JoinedUsers {
  private readonly authenticated: AuthenticatedRows<UserEntity, (typeof USERS.fields)[number]>;

  constructor(authenticator: RowAuthenticator) {
    this.authenticated = authenticator.of(USERS);
  }

  /** @param row with the columns {@link JOINED_USER} */
  stateOf(row: object): UserState {
    const user = COLUMNS.toEntity(row) as Partial<UserEntity>;
    if (user.id === null || user.id === undefined) return 'absent';
    const stored = user as Parameters<typeof this.authenticated.isAuthentic>[0];
    if (!this.authenticated.isAuthentic(stored)) return 'unauthentic';
    return stored.disabledAt === null ? 'active' : 'disabled';
  }
}
