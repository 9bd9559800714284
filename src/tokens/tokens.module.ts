import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { OAuthModule } from '../identity/oauth/oauth.module.js';
import { AccessGuard } from './auth.guard.js';
import { AccountAccess } from './account-access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { ClientTokenEntity } from './client-token.entity.js';
import { ClientTokenRepository } from './client-token.repository.js';
import { ClientTokenPrincipalsService } from './client-token-principals.service.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientTokensService } from './client-tokens.service.js';
import { TokenRefusals } from './token-refusals.service.js';

export const entities = [ClientTokenEntity];

/** The global access guard, and client tokens. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ApplicationsModule, OAuthModule],
  controllers: [ClientTokensController],
  providers: [
    AccountAccess,
    BearerStrategy,
    ClientTokenPrincipalsService,
    ClientTokenRepository,
    ClientTokensService,
    TokenRefusals,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class TokensModule {}
