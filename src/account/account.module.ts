import { Module } from '@nestjs/common';
import { OAuthModule } from '../oauth/oauth.module.js';
import { AccountController } from './account.controller.js';

/** The settings that signed-in users change themselves. */
@Module({
  imports: [OAuthModule],
  controllers: [AccountController],
})
export class AccountModule {}
