import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../platform/kernel/errors/errors.pure.js';
import { clientAddress } from '../../platform/kernel/client-address.pure.js';
import { Meters, type SignInRefusal } from '../../platform/kernel/meters.js';
import {
  AccountBoundError,
  BruteForceThrottle,
} from '../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { KnownBrowsers } from './known-browsers.service.js';
import type { RefusedBetween } from './refused-sign-in.repository.js';
import { SignInRefusals } from './sign-in-refusals.service.js';
import { PasswordRequests } from './people/password-requests.service.js';
import { TwoFactorService } from './people/two-factor.service.js';
import type { UserEntity } from './people/user.entity.js';
import { UsersService } from './people/users.service.js';

/**
 * Checks the passwords and codes of sign-ins, as often as limits allow, and counts those that are refused
 * (specification/authentication.md#guessed-passwords). Nothing here depends on whether an account exists, except for
 * the row of the audit log.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly users: UsersService,
    private readonly twoFactor: TwoFactorService,
    private readonly throttle: BruteForceThrottle,
    private readonly browsers: KnownBrowsers,
    private readonly refusals: SignInRefusals,
    private readonly meters: Meters,
    private readonly passwords: PasswordRequests,
  ) {}

  /** Whether somebody who cannot sign in may ask for a mail instead. */
  get offersPasswordLinks(): boolean {
    return this.passwords.isOffered;
  }

  /** The user, or null when the address is unknown or the password wrong. @throws TooManyRequestsError */
  async checkPassword(
    request: IncomingMessage,
    email: string,
    password: string,
    clientId: string,
  ): Promise<UserEntity | null> {
    const known = this.browsers.list(request);
    const owner = known.length > 0 ? await this.users.findByEmail(email) : null;
    const browser = known.find(({ userId }) => userId === owner?.id)?.browserId ?? null;
    const attempt = { account: email, address: clientAddress(request), browser };
    const limitOf = (error: TooManyRequestsError) =>
      error instanceof AccountBoundError ? 'account_limit' : 'address_limit';
    const { result, isBoundReached } = await this.counted(limitOf, () =>
      this.throttle.guardPassword(attempt, () => this.users.verifyPassword(email, password)),
    );
    if (!result) {
      const user = await this.users.findByEmail(email);
      await this.refusals.count(user?.id ?? null, 'password', isBoundReached, clientId);
    }
    return result;
  }

  /** Whether the code of a user with the right password is good; it is then used up. @throws TooManyRequestsError */
  async checkCode(
    request: IncomingMessage,
    userId: string,
    code: string,
    clientId: string,
  ): Promise<boolean> {
    const browser = this.browsers.find(request, userId);
    const { isGood, isBoundReached } = await this.counted(
      () => 'code_limit',
      () => this.twoFactor.redeem(userId, code, browser),
    );
    if (!isGood) await this.refusals.count(userId, 'code', isBoundReached, clientId);
    return isGood;
  }

  /** Counts refusals from zero, in the transaction of a sign-in. Returns what was refused since the one before. */
  forget(userId: string): Promise<RefusedBetween> {
    return this.refusals.reset(userId);
  }

  /** Lets the browser of a sign-in be known from now on. */
  remember(request: IncomingMessage, response: ServerResponse, userId: string): void {
    this.browsers.remember(request, response, userId);
  }

  private async counted<T>(
    limitOf: (error: TooManyRequestsError) => SignInRefusal,
    check: () => Promise<T>,
  ): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof TooManyRequestsError) this.meters.refusedSignIns.inc({ reason: limitOf(error) });
      throw error;
    }
  }
}
