import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OidcStore } from '../oidc-store.js';
import { Passwords } from './passwords.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import type { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Removes all that identifies and authenticates a user, for a transfer of the account or its erasure. */
@Injectable()
export class UserIdentity {
  constructor(
    private readonly users: UserRepository,
    private readonly factors: SecondFactorRepository,
    private readonly passwords: Passwords,
    private readonly store: OidcStore,
  ) {}

  /**
   * In the caller's transaction: a new address, a password that is not known, no name, no second factor, no operator's
   * rights, and every sign-in ended.
   * @param user as it was locked in this transaction
   */
  async replace(user: UserEntity, email: string): Promise<void> {
    const stored = await this.passwords.hash(randomBytes(32).toString('base64url'));
    await this.factors.delete(user.id);
    await this.store.signOut(user.id);
    await this.users.update(user, {
      ...stored,
      email,
      name: null,
      isOperator: false,
      hasSecondFactor: false,
    });
  }
}
