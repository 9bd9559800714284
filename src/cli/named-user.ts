import type { INestApplicationContext } from '@nestjs/common';
import { required, UsageError } from './command.js';
import type { UserEntity } from '../identity/oauth/people/user.entity.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';

/**
 * Whom an option names: the one way of commands to a user.
 * @throws UsageError when there is no such user, ConflictError by an address that nobody vouched for
 */
export async function getNamed(
  app: INestApplicationContext,
  named: string | undefined,
  option: string,
): Promise<UserEntity> {
  try {
    return await app.get(UsersService).getNamed(required(named, option));
  } catch (error) {
    throw error instanceof NotFoundError ? new UsageError(error.message) : error;
  }
}
