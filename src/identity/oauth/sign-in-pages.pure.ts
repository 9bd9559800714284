import { sha256 } from '../../platform/kernel/hmac.pure.js';
import type { OAuthScope } from '../../platform/kernel/oauth-scopes.pure.js';
import { waitWords } from '../../platform/web/html/error-words.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { languageMenu } from '../../platform/web/html/language-menu.js';
import { instant } from '../../platform/web/html/page-elements.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { webAsset } from '../../platform/web/html/web-asset.js';
import type { PageLanguage } from './sign-in-language.js';

/** A complete page and the headers that it must be sent with. */
export interface SignInPage {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The document around the content of a page.
 * @param formTargets origins that a form may lead to besides this one: browsers also apply `form-action` to the
 *   redirect to the client that follows a sign-in
 */
export function page(
  { texts, languageLink }: PageLanguage,
  status: number,
  title: string,
  content: Html,
  formTargets: string[] = [],
): SignInPage {
  const style = webAsset('sign-in.css');
  const csp = [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const { text } = markup`<!doctype html>
    <html lang="${texts.locale}" dir="${texts.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${new Html(style)}</style>
      </head>
      <body>
        <main>${content}</main>
        ${languageLink ? markup`<footer>${languageMenu(texts, languageLink)}</footer>` : null}
      </body>
    </html>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp.join('; '),
      'Cache-Control': 'no-store',
      'Content-Language': texts.locale,
      Vary: 'Accept-Language',
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      // Not "no-referrer": forms would then be posted with "Origin: null", which the origin check refuses.
      'Referrer-Policy': 'same-origin',
    },
    body: text,
  };
}

/** What the pages of a sign-in have in common. */
export interface SignInView {
  language: PageLanguage;
  clientName: string;
  redirectOrigin: string;
  /** Whether somebody who has forgotten the password can ask for a mail. */
  hasPasswordLinks: boolean;
}

/** A refusal, shown above the form. */
export interface SignInRefusal {
  status: number;
  text: MessageKey;
  /** Of the error, which say how long to wait. */
  headers?: Readonly<Record<string, string>>;
}

export function refusalNote({ texts }: PageLanguage, error: SignInRefusal | null): Html | null {
  if (error === null) return null;
  const words = texts.text(error.text, { duration: waitWords(texts, error.headers) });
  return markup`<p role="alert" id="error">${words}</p>`;
}

function continueTo({ language: { texts }, clientName }: SignInView): Html {
  return markup`<p class="soft">${texts.html('signin.continue-to', { client: markup`<bdi>${clientName}</bdi>` })}</p>`;
}

/** The form for email and password. `error` is shown above it. */
export function loginPage(
  view: SignInView & {
    email: string;
    error: SignInRefusal | null;
  },
): SignInPage {
  const { language, email, error } = view;
  const { texts } = language;
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  // After a wrong password the password has the focus; the email address is still filled in.
  const [emailFocus, passwordFocus] = email ? [null, markup` autofocus`] : [markup` autofocus`, null];
  const content = markup`<h1>${texts.text('signin.heading')}</h1>
    ${continueTo(view)}
    ${refusalNote(language, error)}
    <form method="post">
      <label for="email">${texts.text('signin.email')}</label>
      <input
        id="email"
        name="email"
        type="email"
        dir="ltr"
        autocomplete="username"
        required
        maxlength="254"
        value="${email}"
        ${described}${emailFocus}
      />
      <label for="password">${texts.text('signin.password')}</label>
      <input
        id="password"
        name="password"
        type="password"
        dir="ltr"
        autocomplete="current-password"
        required
        maxlength="256"
        ${described}${passwordFocus}
      />
      <button type="submit" name="decision" value="allow">${texts.text('signin.submit')}</button>
      <button type="submit" name="decision" value="deny" class="plain" formnovalidate>${texts.text('signin.cancel')}</button>
    </form>
    ${view.hasPasswordLinks ? markup`<p class="soft"><a href="../forgotten-password?lang=${texts.locale}">${texts.text('signin.forgot')}</a></p>` : null}`;
  const title = texts.text(error ? 'signin.title-error' : 'signin.heading');
  return page(language, error?.status ?? 200, title, content, [view.redirectOrigin]);
}

/** The form for the second factor. `error` is shown above it. */
export function codePage(view: SignInView & { error: SignInRefusal | null }): SignInPage {
  const { language, redirectOrigin, error } = view;
  const { texts } = language;
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  const content = markup`<h1>${texts.text('code.heading')}</h1>
    ${continueTo(view)}
    ${refusalNote(language, error)}
    <form method="post">
      <label for="code">${texts.text('code.label')}</label>
      <input
        id="code"
        name="code"
        type="text"
        dir="ltr"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="64"
        ${described} autofocus
      />
      <button type="submit" name="decision" value="allow">${texts.text('code.submit')}</button>
      <button type="submit" name="decision" value="restart" class="plain" formnovalidate>
        ${texts.text('code.restart')}
      </button>
      <button type="submit" name="decision" value="deny" class="plain" formnovalidate>${texts.text('signin.cancel')}</button>
    </form>`;
  const title = texts.text(error ? 'code.title-error' : 'code.heading');
  return page(language, error?.status ?? 200, title, content, [redirectOrigin]);
}

/** What a scope permits, in words. */
const POWERS: Record<OAuthScope | 'openid' | 'email' | 'profile', readonly MessageKey[]> = {
  '*': ['consent.power.all-applications', 'consent.power.all-payments', 'consent.power.all-account'],
  'wallets:write': ['consent.power.wallets-write'],
  'wallets:read': ['consent.power.wallets-read'],
  'applications:read': ['consent.power.applications-read'],
  'applications:write': ['consent.power.applications-write'],
  'tokens:read': ['consent.power.tokens-read'],
  'tokens:write': ['consent.power.tokens-write'],
  'payments:read': ['consent.power.payments-read'],
  'payments:write': ['consent.power.payments-write'],
  'refunds:read': ['consent.power.refunds-read'],
  'refunds:write': ['consent.power.refunds-write'],
  'webhooks:read': ['consent.power.webhooks-read'],
  'webhooks:write': ['consent.power.webhooks-write'],
  'account:read': ['consent.power.account-read'],
  'account:write': ['consent.power.account-write'],
  openid: ['consent.power.openid'],
  email: ['consent.power.email'],
  profile: ['consent.power.profile'],
};

/**
 * Asks whether the client may act for the user who has signed in. No button has the focus, so that pressing Enter twice
 * is not taken for consent.
 * @param view.scopes the requested ones; unknown ones permit nothing
 * @param view.accessSeconds how long the access lasts
 */
export function consentPage(
  view: SignInView & {
    accessSeconds: number;
    email: string;
    scopes: readonly string[];
  },
): SignInPage {
  const { language, clientName, redirectOrigin, accessSeconds, email, scopes } = view;
  const { texts } = language;
  const powers = Object.entries(POWERS)
    .toReversed()
    .flatMap(([scope, words]) => (scopes.includes(scope) ? words : []));
  const names = {
    client: markup`<bdi><strong>${clientName}</strong></bdi>`,
    email: markup`<bdi dir="ltr"><strong>${email}</strong></bdi>`,
  };
  const origin = markup`<bdi dir="ltr">${redirectOrigin}</bdi>`;
  const content = markup`<h1>${texts.text('consent.heading')}</h1>
    <p>${texts.html('consent.text', names)}</p>
    <ul>
      ${powers.map((power) => markup`<li>${texts.text(power)}</li>`)}
    </ul>
    <p>${texts.text('consent.duration', { duration: texts.duration(accessSeconds) })}</p>
    <p class="soft">${texts.html('consent.redirect', { origin })}</p>
    <p class="soft">${texts.text('consent.not-you')} <a href="../sign-out">${texts.text('sign-out.submit')}</a></p>
    <form method="post">
      <button type="submit" name="decision" value="allow">${texts.text('consent.allow')}</button>
      <button type="submit" name="decision" value="deny" class="plain">${texts.text('consent.deny')}</button>
    </form>`;
  return page(language, 200, texts.text('consent.heading'), content, [redirectOrigin]);
}

/**
 * Tells a user who has just signed in that others tried to; there is no mail to tell it by.
 * @param view.count of refused sign-ins since the last one, their own mistakes included
 * @param view.returnTo where the sign-in continues
 */
export function guessedPage(view: {
  language: PageLanguage;
  count: number;
  lastAt: Date | null;
  returnTo: string;
}): SignInPage {
  const { language, count, lastAt, returnTo } = view;
  const { texts } = language;
  const attempts = lastAt
    ? texts.html('guessed.attempts-last', { n: count, time: instant(texts, toIsoSeconds(lastAt)) })
    : texts.html('guessed.attempts', { n: count });
  const content = markup`<h1>${texts.text('guessed.heading')}</h1>
    <p role="alert">${attempts} ${texts.text('guessed.consequence')}</p>
    <p>${texts.text('guessed.advice')}</p>
    <p><a href="${returnTo}">${texts.text('guessed.continue')}</a></p>`;
  return page(language, 200, texts.text('guessed.heading'), content);
}

/** Who is signed in in this browser, and how that ends. */
export function signOutPage(language: PageLanguage, email: string): SignInPage {
  const { texts } = language;
  const who = markup`<bdi dir="ltr"><strong>${email}</strong></bdi>`;
  const content = markup`<h1>${texts.text('sign-out.heading')}</h1>
    <p>${texts.html('sign-out.text', { email: who })}</p>
    <p class="soft">${texts.text('sign-out.programs')}</p>
    <form method="post">
      <button type="submit">${texts.text('sign-out.submit')}</button>
    </form>`;
  return page(language, 200, texts.text('sign-out.heading'), content);
}

/** For a browser that is not signed in, or no longer. */
export function signedOutPage(language: PageLanguage): SignInPage {
  const { texts } = language;
  const content = markup`<h1>${texts.text('signed-out.heading')}</h1>
    <p>${texts.text('signed-out.text')}</p>`;
  return page(language, 200, texts.text('signed-out.heading'), content);
}

/** Why a sign-in cannot go on. */
const FAILURES = {
  cross_site: { status: 403, title: 'signin-error.cross-site.title', text: 'signin-error.cross-site.text' },
  expired: { status: 400, title: 'signin-error.expired.title', text: 'signin-error.expired.text' },
  too_many: { status: 429, title: 'error.too-many.title', text: 'signin-error.wait' },
  unavailable: { status: 503, title: 'error.broken.title', text: 'signin-error.wait' },
} as const satisfies Record<string, { status: number; title: MessageKey; text: MessageKey }>;

/** @param headers of the error, which say how long to wait */
export function failurePage(
  language: PageLanguage,
  failure: keyof typeof FAILURES,
  headers?: Readonly<Record<string, string>>,
): SignInPage {
  const { status, title, text } = FAILURES[failure];
  const { texts } = language;
  return errorPage(
    language,
    status,
    title,
    markup`${texts.text(text, { duration: waitWords(texts, headers) })}`,
  );
}

/** @param details in English, as the protocol has them: they are for the developer of the client */
export function badRequestPage(language: PageLanguage, status: number, details: string): SignInPage {
  const english = markup`<bdi lang="en" dir="ltr">${details}</bdi>`;
  return errorPage(language, status, 'signin-error.request.title', english);
}

function errorPage(language: PageLanguage, status: number, titleKey: MessageKey, text: Html): SignInPage {
  const { texts } = language;
  const title = texts.text(titleKey);
  return page(
    // No menu: its links would repeat whatever stands in the address of a request that was refused.
    { texts, languageLink: null },
    status,
    title,
    markup`<h1>${title}</h1>
      <p role="alert">${text}</p>
      <p class="soft">${texts.text('signin-error.go-back')}</p>`,
  );
}
