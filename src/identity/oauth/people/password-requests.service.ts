import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config.js';
import { Clock } from '../../../platform/kernel/clock.pure.js';
import { Hook } from '../../../platform/kernel/hook.js';
import type { Locale } from '../../../platform/kernel/i18n/locale.pure.js';
import { BruteForceThrottle } from '../../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { normalizeEmail } from './email-address.pure.js';

/** Requests for a link that sets a new password, from people who cannot sign in. */
@Injectable()
export class PasswordRequests {
  /** Of any address: whether it has a user is asked when the mail is sent, so that no answer and no time tells it. */
  readonly asked = new Hook<{ email: string; language: Locale; at: Date }>();

  constructor(
    private readonly throttle: BruteForceThrottle,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Only where the gateway can send mail. */
  get isOffered(): boolean {
    return this.config.notices.mail !== null;
  }

  /**
   * @param address of the client
   * @throws ValidationError for what is no email address, TooManyRequestsError
   */
  async ask(email: string, language: Locale, address: string): Promise<void> {
    const normalized = normalizeEmail(email);
    await this.throttle.takeGuess('password-request', address);
    await this.asked.call({ email: normalized, language, at: this.clock.now() });
  }
}
