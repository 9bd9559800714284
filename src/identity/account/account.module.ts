import { Module } from '@nestjs/common';
import { OAuthModule } from '../oauth/oauth.module.js';
import { AccountController } from './account.controller.js';
import { AuditController } from './audit.controller.js';
import { OwnClientsController } from './own-clients.controller.js';
import { SessionsController } from './sessions.controller.js';
import { TwoFactorController } from './two-factor.controller.js';

/** The settings that signed-in users change themselves. */
@Module({
  imports: [OAuthModule],
  controllers: [
    AccountController,
    AuditController,
    OwnClientsController,
    SessionsController,
    TwoFactorController,
  ],
})
export class AccountModule {}
