import { type ExecutionContext, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { OAuthOnly, Public } from '../platform/web/security/auth.js';
import { UnauthenticatedError } from '../platform/kernel/errors/errors.pure.js';
import type { RateLimits } from '../platform/web/rate-limiting/rate-limits.service.js';
import type { Clock } from '../platform/kernel/clock.pure.js';
import type { TwoFactorService } from '../identity/oauth/people/two-factor.service.js';
import type { UsersService } from '../identity/oauth/people/users.service.js';
import type { AccountAccess } from './account-access.service.js';
import { AccessGuard } from './auth.guard.js';
import type { BearerStrategy } from './bearer.strategy.js';
import type { TokenRefusals } from './token-refusals.service.js';

class Routes {
  forgotten(): void {}
  @Public()
  open(): void {}
}

@OAuthOnly('account')
class GuardedRoutes {
  @Public()
  open(): void {}
}

function contextOf(controller: new () => object, handler: keyof Routes): ExecutionContext {
  const context = { getHandler: () => (controller.prototype as Routes)[handler], getClass: () => controller };
  return context as unknown as ExecutionContext;
}

describe('AccessGuard', () => {
  beforeAll(() => Logger.overrideLogger(false));

  const strategy = { registeredName: 'never asked' } as BearerStrategy;
  const guard = new AccessGuard(
    new Reflector(),
    strategy,
    {} as RateLimits,
    {} as UsersService,
    {} as TokenRefusals,
    {} as TwoFactorService,
    {} as AccountAccess,
    {} as Clock,
  );

  it('refuses every request on a route without an access decorator', async () => {
    await expect(guard.canActivate(contextOf(Routes, 'forgotten'))).rejects.toBeInstanceOf(
      UnauthenticatedError,
    );
  });

  it('prefers the access decorator of the route over that of its controller', async () => {
    expect(await guard.canActivate(contextOf(Routes, 'open'))).toBe(true);
    expect(await guard.canActivate(contextOf(GuardedRoutes, 'open'))).toBe(true);
  });
});
