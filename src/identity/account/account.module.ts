import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OAuthModule } from '../oauth/oauth.module.js';
import { UserErasure } from '../oauth/people/user-erasure.service.js';
import { AccountController } from './account.controller.js';
import { AuditController } from './audit.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { MembersController } from './members.controller.js';
import { OwnClientsController } from './own-clients.controller.js';
import { SavedViewsController } from './saved-views.controller.js';
import { SavedViewsEntity } from './saved-views.entity.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import { SessionsController } from './sessions.controller.js';
import { TwoFactorController } from './two-factor.controller.js';

/** The settings that signed-in users change themselves. */
@Module({
  imports: [OAuthModule, TypeOrmModule.forFeature([SavedViewsEntity])],
  controllers: [
    AccountController,
    AuditController,
    InvitationsController,
    MembersController,
    OwnClientsController,
    SavedViewsController,
    SessionsController,
    TwoFactorController,
  ],
  providers: [SavedViewsRepository],
})
export class AccountModule implements OnApplicationBootstrap {
  constructor(
    private readonly erasure: UserErasure,
    private readonly savedViews: SavedViewsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.erasure.erasing.listen((userId) => this.savedViews.clear(userId));
  }
}
