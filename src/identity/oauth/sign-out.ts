import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { send } from './interactions.js';
import { isSameOrigin } from './oauth-request.js';
import { OidcStore } from './oidc-store.js';
import { languageOf } from './sign-in-language.js';
import { failurePage, signedOutPage, signOutPage } from './sign-in-pages.pure.js';
import { UsersService } from './people/users.service.js';

/**
 * Lets people end the session of their browser (specification/authentication.md#browser-session). The library's own
 * logout is for clients, and needs JavaScript.
 */
@Injectable()
export class SignOut {
  constructor(
    private readonly provider: Provider,
    private readonly store: OidcStore,
    private readonly users: UsersService,
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { accountId, uid } = await this.provider.Session.get(
      this.provider.createContext(request, response),
    );
    const language = languageOf(request);
    if (request.method !== 'POST') {
      const user = accountId === undefined ? null : await this.users.findActive(accountId);
      return send(response, user ? signOutPage(language, user.email) : signedOutPage(language));
    }
    if (!isSameOrigin(request, this.provider.issuer))
      return send(response, failurePage(language, 'cross_site'));
    if (accountId !== undefined) await this.store.destroySession(uid);
    this.forgetCookie(response);
    // Not "cookies": that would remove those of every other host of the domain, and the known browser.
    response.setHeader('Clear-Site-Data', '"cache", "storage"');
    send(response, signedOutPage(language));
  }

  private forgetCookie(response: ServerResponse): void {
    const name = this.provider.cookieName('session');
    const secure = new URL(this.provider.issuer).protocol === 'https:' ? '; secure' : '';
    for (const cookie of [name, `${name}.sig`])
      response.appendHeader('Set-Cookie', `${cookie}=; path=/; max-age=0${secure}; httponly; samesite=lax`);
  }
}
