import { sha256 } from '../../platform/security/hmac.pure.js';
import type { OAuthScope } from '../../platform/security/oauth-scopes.pure.js';
import { Html, markup } from '../../platform/html/markup.pure.js';
import { toIsoSeconds } from '../../platform/runtime/clock.pure.js';
import { webAsset } from '../../platform/html/web-asset.js';

/** A complete page and the headers that it must be sent with. */
export interface SignInPage {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * @param formTargets origins that a form may lead to besides this one: browsers also apply `form-action` to the
 *   redirect
 *   to the client that follows a sign-in
 */
function page(status: number, title: string, content: Html, formTargets: string[] = []): SignInPage {
  const style = webAsset('sign-in.css');
  const csp = [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const { text } = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${new Html(style)}</style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp.join('; '),
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      // Not "no-referrer": forms would then be posted with "Origin: null", which the origin check refuses.
      'Referrer-Policy': 'same-origin',
    },
    body: text,
  };
}

/** The form for email and password. `error` is shown above it. */
export function loginPage(view: {
  clientName: string;
  redirectOrigin: string;
  email: string;
  error: { status: number; text: string } | null;
}): SignInPage {
  const { clientName, email, error } = view;
  const alert = error && markup`<p role="alert" id="error">${error.text}</p>`;
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  // After a wrong password the password has the focus; the email address is still filled in.
  const [emailFocus, passwordFocus] = email ? [null, markup` autofocus`] : [markup` autofocus`, null];
  const content = markup`<h1>Sign in</h1>
    <p class="soft">to continue to ${clientName}</p>
    ${alert}
    <form method="post">
      <label for="email">Email address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        required
        maxlength="254"
        value="${email}"
        ${described}${emailFocus}
      />
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength="256"
        ${described}${passwordFocus}
      />
      <button type="submit" name="decision" value="allow">Sign in</button>
      <button type="submit" name="decision" value="deny" class="plain" formnovalidate>Cancel</button>
    </form>`;
  return page(error?.status ?? 200, error ? 'Error: Sign in' : 'Sign in', content, [view.redirectOrigin]);
}

/** The form for the second factor. `error` is shown above it. */
export function codePage(view: {
  clientName: string;
  redirectOrigin: string;
  error: { status: number; text: string } | null;
}): SignInPage {
  const { clientName, redirectOrigin, error } = view;
  const alert = error && markup`<p role="alert" id="error">${error.text}</p>`;
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  const content = markup`<h1>Enter your code</h1>
    <p class="soft">to continue to ${clientName}</p>
    ${alert}
    <form method="post">
      <label for="code">Code of your authenticator app, or a recovery code</label>
      <input
        id="code"
        name="code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="64"
        ${described} autofocus
      />
      <button type="submit" name="decision" value="allow">Continue</button>
      <button type="submit" name="decision" value="restart" class="plain" formnovalidate>
        Sign in as another user
      </button>
      <button type="submit" name="decision" value="deny" class="plain" formnovalidate>Cancel</button>
    </form>`;
  return page(error?.status ?? 200, error ? 'Error: Enter your code' : 'Enter your code', content, [
    redirectOrigin,
  ]);
}

/** What a scope permits, in words. */
const POWERS: Record<OAuthScope | 'openid' | 'email' | 'profile', readonly string[]> = {
  '*': [
    'see and change your payment applications and their access tokens, and see their wallets',
    'see, create and change your payments',
    'see your account and change its name; the rest takes your password',
  ],
  'wallets:write': ['change the wallets that your customers pay to'],
  'wallets:read': ['see your wallets and what they have received'],
  'applications:read': ['see your payment applications'],
  'applications:write': ['change your payment applications'],
  'tokens:read': ['see which client tokens there are'],
  'tokens:write': ['create and revoke client tokens'],
  'payments:read': ['see your payments'],
  'payments:write': ['create, cancel and accept payments'],
  'refunds:read': ['see your refunds'],
  'refunds:write': ['create and change refunds'],
  'webhooks:read': ['see your webhooks'],
  'webhooks:write': ['pause, test and repeat your webhooks'],
  'account:read': ['see your account'],
  'account:write': ['change the name of your account; the rest takes your password'],
  openid: ['know that it is you who signed in'],
  email: ['see your email address'],
  profile: ['see your name'],
};

/**
 * Asks whether the client may act for the user who has signed in. No button has the focus, so that pressing Enter twice
 * is not taken for consent.
 * @param view.scopes the requested ones; unknown ones permit nothing
 * @param view.duration how long the access lasts
 */
export function consentPage(view: {
  clientName: string;
  redirectOrigin: string;
  duration: string;
  email: string;
  scopes: readonly string[];
}): SignInPage {
  const { clientName, redirectOrigin, duration, email, scopes } = view;
  const powers = Object.entries(POWERS)
    .toReversed()
    .flatMap(([scope, words]) => (scopes.includes(scope) ? words : []));
  const content = markup`<h1>Allow access?</h1>
    <p>
      <strong>${clientName}</strong> wants to use your account <strong>${email}</strong>. It will be able to
    </p>
    <ul>
      ${powers.map((power) => markup`<li>${power}</li>`)}
    </ul>
    <p>
      It keeps this access for ${duration} after you sign in, or until you set a new password. It gets it again without
      this question while you stay signed in in this browser.
    </p>
    <p class="soft">You will be redirected to ${redirectOrigin}</p>
    <p class="soft">Not you, or not your browser? <a href="../sign-out">Sign out</a></p>
    <form method="post">
      <button type="submit" name="decision" value="allow">Allow</button>
      <button type="submit" name="decision" value="deny" class="plain">Do not allow</button>
    </form>`;
  return page(200, 'Allow access?', content, [redirectOrigin]);
}

/**
 * Tells a user who has just signed in that others tried to; there is no mail to tell it by.
 * @param view.count of refused sign-ins since the last one, their own mistakes included
 * @param view.returnTo where the sign-in continues
 */
export function guessedPage(view: { count: number; lastAt: Date | null; returnTo: string }): SignInPage {
  const { count, lastAt, returnTo } = view;
  const last =
    lastAt && markup`, the last one on ${toIsoSeconds(lastAt).replace('T', ' at ').replace('Z', ' UTC')}`;
  const content = markup`<h1>Somebody tried to sign in as you</h1>
    <p role="alert">
      ${String(count)} attempts to sign in to your account were refused since you last signed in${last}. Until they
      become fewer, only browsers in which you have signed in before can be used to sign in.
    </p>
    <p>
      None of these attempts got in. If they were not yours, choose a password that you use nowhere else, and set up a
      second factor if you have none.
    </p>
    <p><a href="${returnTo}">Continue</a></p>`;
  return page(200, 'Somebody tried to sign in as you', content);
}

/** Who is signed in in this browser, and how that ends. */
export function signOutPage(email: string): SignInPage {
  const content = markup`<h1>Sign out?</h1>
    <p>You are signed in as <strong>${email}</strong> in this browser.</p>
    <p class="soft">
      Programs to which you have allowed access keep it: sign out there as well. A new password ends the access of all
      of them.
    </p>
    <form method="post">
      <button type="submit">Sign out</button>
    </form>`;
  return page(200, 'Sign out?', content);
}

/** Nobody is signed in. */
export function signedOutPage(): SignInPage {
  const content = markup`<h1>You are signed out</h1>
    <p>Nobody is signed in to this gateway in this browser.</p>`;
  return page(200, 'You are signed out', content);
}

/** The error page: the cause and what to do. */
export function errorPage(status: number, title: string, text: string): SignInPage {
  return page(
    status,
    title,
    markup`<h1>${title}</h1>
      <p role="alert">${text}</p>
      <p class="soft">Go back to the program that you came from and try again.</p>`,
  );
}

/** In place of every form that another site sent. */
export const CROSS_SITE = errorPage(
  403,
  'This form was not sent from here',
  'Please sign in on the page of this gateway.',
);
