import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { TooManyRequestsError, ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { PSEUDO_LOCALE } from '../../platform/kernel/i18n/locale.pure.js';
import { clientAddress } from '../../platform/kernel/client-address.pure.js';
import { forgottenPasswordPage, passwordAskedPage } from './forgotten-password-pages.pure.js';
import { send } from './interactions.js';
import { isSameOrigin, readForm } from './oauth-request.js';
import { issuerUrl } from './oidc-provider.js';
import { PasswordRequests } from './people/password-requests.service.js';
import { languageOf } from './sign-in-language.js';
import { failurePage, type SignInPage } from './sign-in-pages.pure.js';

/** Where people who forgot their password ask for a mail (specification/authentication.md#one-time-links). */
@Injectable()
export class ForgottenPasswordPage {
  constructor(
    private readonly requests: PasswordRequests,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** False: this gateway has no such page, because it sends no mail. */
  get isOffered(): boolean {
    return this.requests.isOffered;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const language = languageOf(request);
    if (request.method !== 'POST') return send(response, forgottenPasswordPage(language, '', null));
    if (!isSameOrigin(request, issuerUrl(this.config).href))
      return send(response, failurePage(language, 'cross_site'));
    const fields = (await readForm(request)) ?? new URLSearchParams();
    send(response, await this.ask(request, response, fields.get('email') ?? ''));
  }

  private async ask(request: IncomingMessage, response: ServerResponse, email: string): Promise<SignInPage> {
    const language = languageOf(request);
    const { locale } = language.texts;
    try {
      await this.requests.ask(email, locale === PSEUDO_LOCALE ? 'en' : locale, clientAddress(request));
    } catch (error) {
      if (error instanceof ValidationError)
        return forgottenPasswordPage(language, email, { status: 422, text: 'link.email-refused' });
      if (!(error instanceof TooManyRequestsError)) throw error;
      const { headers } = error.extra;
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
      return failurePage(language, 'too_many', headers);
    }
    return passwordAskedPage(language);
  }
}
