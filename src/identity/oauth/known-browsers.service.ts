import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { cookieValue } from '../../platform/web/http/cookies.pure.js';
import {
  isStillKnown,
  KNOWN_SECONDS,
  type KnownBrowser,
  readBrowsers,
  writeBrowsers,
} from './known-browsers.pure.js';

const PURPOSE = 'known-browser';

/**
 * The browsers in which a user has signed in before, by a cookie that only the gateway can make. It is no sign-in: it
 * gives its browser attempts of its own, which strangers cannot use up (specification/authentication.md#guessed-passwords).
 */
@Injectable()
export class KnownBrowsers {
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    const isSecure = new URL(config.baseUrl).protocol === 'https:';
    this.name = isSecure ? '__Host-oauth_browser' : 'oauth_browser';
    this.attributes = `; path=/; max-age=${KNOWN_SECONDS}${isSecure ? '; secure' : ''}; httponly; samesite=lax`;
  }

  /** Those of the request's cookie that are authentic. */
  list({ headers }: IncomingMessage): KnownBrowser[] {
    const now = this.clock.unixSeconds();
    return readBrowsers(cookieValue(headers.cookie, this.name)).filter(
      (browser) =>
        isStillKnown(browser, now) && this.keyring.isMacOf(PURPOSE, fieldsOf(browser), browser.mac),
    );
  }

  /** The id of the request's browser, if the user has signed in in it; otherwise null. */
  find(request: IncomingMessage, userId: string): string | null {
    return this.list(request).find((browser) => browser.userId === userId)?.browserId ?? null;
  }

  /** Remembers the browser after a sign-in. */
  remember(request: IncomingMessage, response: ServerResponse, userId: string): void {
    const known = this.list(request);
    const browser = {
      userId,
      browserId: known.find((one) => one.userId === userId)?.browserId ?? newId(this.clock.now()),
      signedInAt: this.clock.unixSeconds(),
    };
    const signedIn = { ...browser, mac: this.keyring.mac(PURPOSE, fieldsOf(browser)) };
    response.appendHeader('Set-Cookie', `${this.name}=${writeBrowsers(signedIn, known)}${this.attributes}`);
  }
}

function fieldsOf({ userId, browserId, signedInAt }: Omit<KnownBrowser, 'mac'>): string[] {
  return [userId, browserId, String(signedInAt)];
}
