import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { Sql } from '../../../platform/database/sql.js';
import { ConflictError, NotFoundError } from '../../../platform/kernel/errors/errors.pure.js';
import { UUID } from '../../../platform/kernel/ids.pure.js';
import { AccessLinkRepository } from '../access-link.repository.js';
import { MembersService } from './members.service.js';
import { OAuthClientRepository } from '../oauth-client.repository.js';
import { ProvisioningService } from '../provisioning.service.js';
import { UserIdentity } from './user-identity.service.js';
import { UserRepository } from './user.repository.js';
import { erasedAddress, isErased } from './user-state.pure.js';
import { Hook } from '../../../platform/kernel/hook.js';

/** Erases what is known of a person; records of money stay (specification/operations.md#erasing-a-user). */
@Injectable()
export class UserErasure {
  /** With the user's id, before what is known of him is erased. */
  readonly erasing = new Hook<string>();

  constructor(
    private readonly users: UserRepository,
    private readonly identity: UserIdentity,
    private readonly clients: OAuthClientRepository,
    private readonly provisioning: ProvisioningService,
    private readonly members: MembersService,
    private readonly links: AccessLinkRepository,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Cannot be undone, so the user must have been disabled before. Again: no change.
   * @throws NotFoundError, ConflictError
   */
  async erase(id: string): Promise<void> {
    await this.sql.transaction(async () => {
      const user = UUID.test(id) ? await this.users.lock(id) : null;
      if (!user) throw new NotFoundError('user_not_found', 'User not found');
      if (user.disabledAt === null)
        throw new ConflictError(
          'invalid_state_transition',
          'Disable the user first: erasing cannot be undone',
        );
      if (isErased(user)) return;
      await this.erasing.call(id);
      for (const { clientId } of await this.clients.listOfUser(id))
        await this.provisioning.revokeClient(clientId);
      await this.members.removeAllOf(id);
      await this.links.deleteAllOf(id, user.email);
      await this.identity.replace(user, erasedAddress(id));
      await this.audit.record({ act: 'user.erased', userId: id, target: { kind: 'user', id } });
    });
  }
}
