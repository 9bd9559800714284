import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import {
  ServiceUnavailableError,
  TooManyRequestsError,
  ValidationError,
} from '../../platform/kernel/errors/errors.pure.js';
import { CONFIG, type Config } from '../../config.js';
import type { AccessLinkEntity } from './access-link.entity.js';
import {
  accessLinkDonePage,
  accessLinkEndedPage,
  accessLinkPage,
  type LinkForm,
} from './access-link-pages.pure.js';
import { AccessLinkEndedError, AccessLinksService } from './access-links.service.js';
import { ForgottenPasswordPage } from './forgotten-password-page.js';
import { send } from './interactions.js';
import { InvitationsService } from './people/invitations.service.js';
import { isSameOrigin, readForm } from './oauth-request.js';
import { issuerUrl } from './oidc-provider.js';
import { SignInAttempts } from './sign-in-attempts.service.js';
import { languageOf } from './sign-in-language.js';
import { failurePage, type SignInPage } from './sign-in-pages.pure.js';
import { UsersService } from './people/users.service.js';

/**
 * The page that every one-time link opens (specification/authentication.md#one-time-links). Showing it changes nothing,
 * because programs that scan mail and chats open links too.
 */
@Injectable()
export class AccessLinkPage {
  constructor(
    private readonly links: AccessLinksService,
    private readonly invitations: InvitationsService,
    private readonly attempts: SignInAttempts,
    private readonly users: UsersService,
    /** Where a link is asked for. */
    readonly forgotten: ForgottenPasswordPage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
    const language = languageOf(request);
    if (request.method === 'POST' && !isSameOrigin(request, issuerUrl(this.config).href))
      return send(response, failurePage(language, 'cross_site'));
    const link = await this.links.find(token);
    const form = link && (await this.formOf(link));
    if (!link || !form) return send(response, accessLinkEndedPage(language));
    if (request.method !== 'POST') return send(response, accessLinkPage(language, form));
    const fields = (await readForm(request)) ?? new URLSearchParams();
    send(response, await this.submit(request, link, form, fields));
  }

  private async submit(
    request: IncomingMessage,
    link: AccessLinkEntity,
    form: LinkForm,
    fields: URLSearchParams,
  ): Promise<SignInPage> {
    const language = languageOf(request);
    const email = fields.get('email') ?? '';
    const password = fields.get('password') ?? '';
    const shown = form.kind === 'setup' ? { ...form, email } : form;
    try {
      if (form.kind === 'setup') await this.links.createFirstUser(link, email, password);
      else if (form.kind === 'password') await this.links.resetPassword(link, password);
      else if (!form.hasUser) await this.invitations.acceptAsNewUser(link, password);
      else {
        // Accepting gives the user nothing but a membership, so the password alone suffices.
        const user = await this.attempts.checkPassword(request, form.email, password, 'invitation');
        if (!user) return accessLinkPage(language, form, { status: 422, text: 'signin.wrong' });
        await this.invitations.acceptFor(link, user.id);
      }
    } catch (error) {
      if (error instanceof AccessLinkEndedError) return accessLinkEndedPage(language);
      if (error instanceof TooManyRequestsError) {
        const { headers = {} } = error.extra;
        const page = accessLinkPage(language, form, { status: 429, text: 'signin.address-limited', headers });
        return { ...page, headers: { ...page.headers, ...headers } };
      }
      if (error instanceof ServiceUnavailableError)
        return accessLinkPage(language, shown, { status: 503, text: 'signin.busy' });
      if (!(error instanceof ValidationError)) throw error;
      const text = 'email' in (error.extra.errors ?? {}) ? 'link.email-refused' : 'link.password-refused';
      return accessLinkPage(language, shown, { status: 422, text });
    }
    return accessLinkDonePage(language, form);
  }

  /** Null: what the link is for is gone. */
  private async formOf(link: AccessLinkEntity): Promise<LinkForm | null> {
    if (link.kind === 'setup') return { kind: 'setup', email: '' };
    if (link.kind === 'invitation') return this.invitationOf(link);
    const user = link.userId === null ? null : await this.users.findActive(link.userId);
    return user && { kind: 'password', email: user.email };
  }

  private async invitationOf({ email, role, accountId }: AccessLinkEntity): Promise<LinkForm | null> {
    const owner = accountId === null ? null : await this.users.findActive(accountId);
    if (!owner || email === null || role === null) return null;
    const hasUser = (await this.users.findByEmail(email)) !== null;
    return { kind: 'invitation', email, inviter: owner.email, accountId: owner.id, role, hasUser };
  }
}
