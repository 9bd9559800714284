import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Provider } from 'oidc-provider';
import { BruteForceThrottle } from '../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import { CONFIG, type Config } from '../../config.js';
import { AccessLinkEntity } from './access-link.entity.js';
import { AccessLinkPage } from './access-link-page.js';
import { AccessLinkRepository } from './access-link.repository.js';
import { AccessLinksService } from './access-links.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccountMemberEntity } from './people/account-member.entity.js';
import { AccountMemberRepository } from './people/account-member.repository.js';
import { AccountService } from './people/account.service.js';
import { AccountTransfer } from './people/account-transfer.service.js';
import { BrowserBinding } from './browser-binding.service.js';
import { DashboardClient } from './dashboard-client.service.js';
import { DashboardTokensService } from './dashboard-tokens.service.js';
import { ExternalIssuerService } from './external-issuer.service.js';
import { FirstRun } from './first-run.service.js';
import { ForgottenPasswordPage } from './forgotten-password-page.js';
import { Interactions } from './interactions.js';
import { InvitationsService } from './people/invitations.service.js';
import { JoinedUsers } from './people/joined-users.service.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { MembersService } from './people/members.service.js';
import { OAuthClientEntity } from './oauth-client.entity.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { OAuthClientsService } from './oauth-clients.service.js';
import { OAuthServer } from './oauth-server.js';
import { createProvider } from './oidc-provider.js';
import { OidcPayloadEntity } from './oidc-payload.entity.js';
import { OidcPayloadRepository } from './oidc-payload.repository.js';
import { OidcStore } from './oidc-store.js';
import { OwnClientsService } from './own-clients.service.js';
import { PasswordPolicy } from './people/password-policy.service.js';
import { PasswordRequests } from './people/password-requests.service.js';
import { Passwords } from './people/passwords.js';
import { ProvisioningService } from './provisioning.service.js';
import { RecoveryCodeEntity } from './people/recovery-code.entity.js';
import { RefusedSignInEntity } from './refused-sign-in.entity.js';
import { RefusedSignInRepository } from './refused-sign-in.repository.js';
import { SecondFactorEntity } from './people/second-factor.entity.js';
import { SecondFactorCodes } from './people/second-factor-codes.service.js';
import { SecondFactorRepository } from './people/second-factor.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignInAttempts } from './sign-in-attempts.service.js';
import { SignInRefusals } from './sign-in-refusals.service.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeysService } from './signing-keys.service.js';
import { SignOut } from './sign-out.js';
import { TwoFactorService } from './people/two-factor.service.js';
import { UserEntity } from './people/user.entity.js';
import { UserErasure } from './people/user-erasure.service.js';
import { UserIdentity } from './people/user-identity.service.js';
import { UserRepository } from './people/user.repository.js';
import { UsersService } from './people/users.service.js';

export const entities = [
  AccessLinkEntity,
  AccountMemberEntity,
  UserEntity,
  OAuthClientEntity,
  OidcPayloadEntity,
  RecoveryCodeEntity,
  RefusedSignInEntity,
  SecondFactorEntity,
  SigningKeyEntity,
];

const PURGE_INTERVAL_MS = 600_000;

/** Users, the authorization server, and the meaning of its access tokens. */
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  providers: [
    AccessLinkPage,
    AccessLinkRepository,
    AccessLinksService,
    AccessTokensService,
    AccountMemberRepository,
    AccountService,
    AccountTransfer,
    BrowserBinding,
    DashboardClient,
    DashboardTokensService,
    ExternalIssuerService,
    FirstRun,
    ForgottenPasswordPage,
    Interactions,
    InvitationsService,
    JoinedUsers,
    KnownBrowsers,
    MembersService,
    OAuthClientRepository,
    OAuthClientsService,
    OAuthServer,
    OidcPayloadRepository,
    OidcStore,
    OwnClientsService,
    PasswordPolicy,
    PasswordRequests,
    Passwords,
    ProvisioningService,
    RefusedSignInRepository,
    SecondFactorCodes,
    SecondFactorRepository,
    SessionsService,
    SignInAttempts,
    SignInRefusals,
    SignOut,
    SigningKeyRepository,
    SigningKeysService,
    TwoFactorService,
    UserErasure,
    UserIdentity,
    UserRepository,
    UsersService,
    {
      provide: Provider,
      inject: [
        CONFIG,
        OidcStore,
        OAuthClientsService,
        UsersService,
        SigningKeysService,
        BruteForceThrottle,
        RateLimits,
        Clock,
      ],
      useFactory: async (
        config: Config,
        store: OidcStore,
        clients: OAuthClientsService,
        users: UsersService,
        keys: SigningKeysService,
        failures: BruteForceThrottle,
        limits: RateLimits,
        clock: Clock,
      ) =>
        createProvider({
          config,
          store,
          clients,
          users,
          signingKeys: await keys.list(),
          cookieKeys: keys.cookieKeys(),
          failures,
          limits,
          clock,
        }),
    },
  ],
  exports: [
    AccessLinksService,
    AccessTokensService,
    AccountService,
    AccountTransfer,
    DashboardTokensService,
    FirstRun,
    InvitationsService,
    JoinedUsers,
    MembersService,
    OwnClientsService,
    PasswordRequests,
    ProvisioningService,
    SessionsService,
    TwoFactorService,
    UserErasure,
    UsersService,
  ],
})
export class OAuthModule implements OnApplicationBootstrap {
  constructor(
    private readonly loops: PollingLoops,
    private readonly store: OidcStore,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.OAuthPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS }, () =>
      this.store.purgeExpired(),
    );
  }
}
