import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { INTERACTION_SECONDS } from './lifetimes.pure.js';
import { bindingName, bindingValue, readBindings, surplusOf } from './browser-binding.pure.js';

const PURPOSE = 'browser-binding';

/** Lets the browser that began a sign-in, and no other, see, answer and end it (ASVS 7.2.4, CWE-384). */
@Injectable()
export class BrowserBinding {
  private readonly isSecure: boolean;

  constructor(
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.isSecure = new URL(config.baseUrl).protocol === 'https:';
  }

  /** Gives the cookie of a sign-in to the browser that asks for it. */
  begin(request: IncomingMessage, response: ServerResponse, uid: string): void {
    for (const { uid: old } of surplusOf(readBindings(request.headers.cookie, this.isSecure)))
      this.end(response, old);
    const begunAt = this.clock.unixSeconds();
    const mac = this.keyring.mac(PURPOSE, [uid, String(begunAt)]);
    this.set(response, uid, bindingValue({ uid, begunAt, mac }), INTERACTION_SECONDS);
  }

  /** Whether this browser began the sign-in. */
  isOf({ headers }: IncomingMessage, uid: string): boolean {
    const begun = readBindings(headers.cookie, this.isSecure).filter((one) => one.uid === uid);
    return begun.some(({ begunAt, mac }) => this.keyring.isMacOf(PURPOSE, [uid, String(begunAt)], mac));
  }

  /** Takes the cookie back. */
  end(response: ServerResponse, uid: string): void {
    this.set(response, uid, '', 0);
  }

  private set(response: ServerResponse, uid: string, value: string, seconds: number): void {
    const secure = this.isSecure ? '; secure' : '';
    response.appendHeader(
      'Set-Cookie',
      `${bindingName(uid, this.isSecure)}=${value}; path=/; max-age=${seconds}${secure}; httponly; samesite=lax`,
    );
  }
}
