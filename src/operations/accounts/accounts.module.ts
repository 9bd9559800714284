import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { OAuthModule } from '../../identity/oauth/oauth.module.js';
import { AccountExportRepository } from './account-export.repository.js';
import { AccountExport } from './account-export.service.js';
import { AccountsService } from './accounts.service.js';
import { AdminUsersController } from './admin-users.controller.js';

/** What an operator does with the accounts of others. */
@Module({
  imports: [ApplicationsModule, OAuthModule],
  controllers: [AdminUsersController],
  providers: [AccountsService, AccountExport, AccountExportRepository],
})
export class AccountsModule {}
