import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { errors, Provider } from 'oidc-provider';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { ServiceUnavailableError, TooManyRequestsError } from '../../platform/kernel/errors/errors.pure.js';
import { AccountBoundError } from '../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { Sql } from '../../platform/database/sql.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import { accessSeconds } from './lifetimes.pure.js';
import { OAuthClientsService } from './oauth-clients.service.js';
import { isSameOrigin, readForm } from './oauth-request.js';
import { OidcStore } from './oidc-store.js';
import type { SignInLevel } from './sign-in-level.pure.js';
import {
  codePage,
  consentPage,
  failurePage,
  guessedPage,
  loginPage,
  type SignInPage,
  type SignInView,
} from './sign-in-pages.pure.js';
import { languageInUrl, languageOf } from './sign-in-language.js';
import { SignInAttempts } from './sign-in-attempts.service.js';
import { TwoFactorService } from './people/two-factor.service.js';
import type { UserEntity } from './people/user.entity.js';
import { UsersService } from './people/users.service.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The pages between a client's authorization request and its response: sign-in, second factor, consent. */
@Injectable()
export class Interactions {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly provider: Provider,
    private readonly store: OidcStore,
    private readonly users: UsersService,
    private readonly clients: OAuthClientsService,
    private readonly twoFactor: TwoFactorService,
    private readonly attempts: SignInAttempts,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
  ) {}

  /** The browser is the one that began it (BrowserBinding). */
  async handle(request: IncomingMessage, response: ServerResponse, uid: string): Promise<void> {
    const interaction = await this.find(request, response, uid);
    if (!interaction) return send(response, failurePage(languageOf(request), 'expired'));
    if (request.method !== 'POST') return send(response, await this.show(request, interaction));
    const language = languageOf(request, interaction.params['ui_locales']);
    if (!isSameOrigin(request, this.provider.issuer))
      return send(response, failurePage(language, 'cross_site'));
    await this.keepLanguage(request, interaction);
    const form = (await readForm(request)) ?? new URLSearchParams();
    if (form.get('decision') === 'deny')
      return this.finish(request, response, {
        error: 'access_denied',
        error_description: 'the user did not agree',
      });
    if (interaction.prompt.name === 'login') {
      if (form.get('decision') === 'restart') return this.restart(request, response, interaction);
      return form.has('code')
        ? this.proveIdentity(request, response, interaction, form.get('code') ?? '')
        : this.login(request, response, interaction, form);
    }
    if (interaction.prompt.name === 'consent') return this.consent(request, response, interaction);
    return send(response, failurePage(language, 'expired'));
  }

  /** The next page has another URL: what this one asks for becomes a part of the authorization request. */
  private async keepLanguage(request: IncomingMessage, interaction: Interaction): Promise<void> {
    const language = languageInUrl(request);
    if (language === null || language === interaction.params['ui_locales']) return;
    interaction.params['ui_locales'] = language;
    await interaction.persist();
  }

  /** Null if the cookie of the library is of another interaction. */
  private async find(
    request: IncomingMessage,
    response: ServerResponse,
    uid: string,
  ): Promise<Interaction | null> {
    try {
      const interaction = await this.provider.interactionDetails(request, response);
      return interaction.uid === uid ? interaction : null;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    }
  }

  private async show(request: IncomingMessage, interaction: Interaction): Promise<SignInPage> {
    const view = await this.viewOf(request, interaction);
    if (interaction.prompt.name === 'login') {
      if (await this.findHalfSignedIn(interaction)) return codePage({ ...view, error: null });
      const hint = interaction.params['login_hint'];
      return loginPage({ ...view, email: typeof hint === 'string' ? hint : '', error: null });
    }
    const user = interaction.session ? await this.users.findActive(interaction.session.accountId) : null;
    if (!user) return failurePage(view.language, 'expired');
    const { scope } = interaction.params;
    const scopes = typeof scope === 'string' ? scope.split(' ') : [];
    return consentPage({ ...view, email: user.email, scopes });
  }

  private async login(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    form: URLSearchParams,
  ): Promise<void> {
    const email = form.get('email') ?? '';
    const fail = async (status: number, text: MessageKey, headers: Readonly<Record<string, string>> = {}) => {
      const view = await this.viewOf(request, interaction);
      return send(response, loginPage({ ...view, email, error: { status, text, headers } }));
    };
    let user;
    try {
      user = await this.attempts.checkPassword(
        request,
        email,
        form.get('password') ?? '',
        clientIdOf(interaction),
      );
    } catch (error) {
      if (error instanceof TooManyRequestsError) {
        for (const [name, value] of Object.entries(error.extra.headers ?? {}))
          response.setHeader(name, value);
        return fail(
          429,
          error instanceof AccountBoundError ? 'signin.account-bound' : 'signin.address-limited',
          error.extra.headers,
        );
      }
      if (!(error instanceof ServiceUnavailableError)) throw error;
      return fail(503, 'signin.busy');
    }
    if (!user) return fail(422, 'signin.wrong');
    if (await this.twoFactor.isEnabled(user.id)) {
      await this.store.rememberPassword(interaction.uid, user.id);
      return send(response, codePage({ ...(await this.viewOf(request, interaction)), error: null }));
    }
    await this.finishLogin(request, response, interaction, user, 'pwd');
  }

  /** The second step, for users with a second factor; only after the correct password in this interaction. */
  private async proveIdentity(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    code: string,
  ): Promise<void> {
    const view = await this.viewOf(request, interaction);
    const user = await this.findHalfSignedIn(interaction);
    if (!user) {
      const error = { status: 422, text: 'signin.too-slow' } as const;
      return send(response, loginPage({ ...view, email: '', error }));
    }
    const fail = (status: number, text: MessageKey, headers: Readonly<Record<string, string>> = {}) =>
      send(response, codePage({ ...view, error: { status, text, headers } }));
    try {
      if (await this.attempts.checkCode(request, user.id, code, clientIdOf(interaction)))
        return await this.finishLogin(request, response, interaction, user, 'mfa');
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      for (const [name, value] of Object.entries(error.extra.headers ?? {})) response.setHeader(name, value);
      this.logger.warn({ userId: user.id }, 'second factor blocked');
      return fail(429, 'code.too-many', error.extra.headers);
    }
    return fail(422, 'code.wrong');
  }

  /** The user whose password was correct in this interaction, or null if they may not sign in any more. */
  private async findHalfSignedIn({ uid }: Interaction): Promise<UserEntity | null> {
    const userId = await this.store.findPasswordUser(uid);
    return userId === null ? null : this.users.findActive(userId);
  }

  /** Back to the first page. */
  private async restart(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
  ): Promise<void> {
    await this.store.forgetPassword(interaction.uid);
    send(response, await this.show(request, interaction));
  }

  private async finishLogin(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    user: UserEntity,
    level: SignInLevel,
  ): Promise<void> {
    const { session, params } = interaction;
    const language = languageOf(request, params['ui_locales']);
    const login = this.store.signedIn(user.id, level);
    const { returnTo, refused } = await this.sql.unitOfWork(async () => {
      await this.store.forgetPassword(interaction.uid);
      if (session && session.accountId !== user.id) {
        // Another user was signed in here. End that session; the library's own way of doing so needs JavaScript.
        await this.store.destroySession(session.uid);
        interaction.session = undefined;
        await interaction.persist();
      }
      // This result signs the user in.
      const url = await this.provider.interactionResult(request, response, login, {
        mergeWithLastSubmission: false,
      });
      const between = await this.attempts.forget(user.id);
      await this.audit.record({
        act: 'sign_in.succeeded',
        userId: user.id,
        target: { kind: 'oauth_client', id: clientIdOf(interaction) },
        details: { level },
        actor: { kind: 'user', id: user.id },
      });
      return { returnTo: url, refused: between };
    });
    this.attempts.remember(request, response, user.id);
    if (refused.isBoundReached) return send(response, guessedPage({ ...refused, language, returnTo }));
    response.writeHead(303, { Location: returnTo, 'Content-Length': 0, 'Cache-Control': 'no-store' });
    response.end();
  }

  private async consent(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
  ): Promise<void> {
    const { session, grantId, params } = interaction;
    if (!session) return send(response, failurePage(languageOf(request, params['ui_locales']), 'expired'));
    const existing = grantId ? await this.provider.Grant.find(grantId) : undefined;
    const grant =
      existing ??
      new this.provider.Grant({ accountId: session.accountId, clientId: String(params['client_id']) });
    const { missingOIDCScope } = interaction.prompt.details;
    if (Array.isArray(missingOIDCScope)) grant.addOIDCScope(missingOIDCScope.join(' '));
    await this.finish(request, response, { consent: { grantId: await grant.save() } }, true);
  }

  private async finish(
    request: IncomingMessage,
    response: ServerResponse,
    result: Parameters<Provider['interactionFinished']>[2],
    mergeWithLastSubmission = false,
  ): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    await this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission });
  }

  private async viewOf(
    request: IncomingMessage,
    { params }: Interaction,
  ): Promise<SignInView & { accessSeconds: number }> {
    const clientId = String(params['client_id']);
    const client = await this.clients.findMetadata(clientId);
    return {
      language: languageOf(request, params['ui_locales']),
      clientName: client?.client_name ?? clientId,
      accessSeconds: accessSeconds(client?.grant_types ?? []),
      hasPasswordLinks: this.attempts.offersPasswordLinks,
      redirectOrigin: new URL(String(params['redirect_uri'])).origin,
    };
  }
}

function clientIdOf({ params }: Interaction): string {
  return String(params['client_id']);
}

/** Writes a page. */
export function send(response: ServerResponse, page: SignInPage): void {
  response.writeHead(page.status, { ...page.headers, 'Content-Length': Buffer.byteLength(page.body) });
  response.end(response.req.method === 'HEAD' ? undefined : page.body);
}
