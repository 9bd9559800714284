import { Module } from '@nestjs/common';
import { OAuthModule } from '../identity/oauth/oauth.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardFiles } from './dashboard-files.service.js';
import { DashboardSessionController } from './dashboard-session.controller.js';

/** The dashboard's files and its session. Everything that it shows and does goes through the API. */
@Module({
  imports: [OAuthModule],
  // The session first: its path could be one of a screen.
  controllers: [DashboardSessionController, DashboardController],
  providers: [DashboardFiles],
})
export class DashboardModule {}
