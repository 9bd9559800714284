import { Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { InvitedRole } from '../../platform/kernel/account-roles.pure.js';
import type { PageLanguage } from './sign-in-language.js';
import { page, refusalNote, type SignInPage, type SignInRefusal } from './sign-in-pages.pure.js';

/** What the page of a link asks for. */
export type LinkForm =
  | { kind: 'setup'; email: string }
  | { kind: 'password'; email: string }
  | {
      kind: 'invitation';
      email: string;
      inviter: string;
      accountId: string;
      role: InvitedRole;
      hasUser: boolean;
    };

const HEADINGS = {
  setup: 'link.setup.heading',
  password: 'link.password.heading',
  invitation: 'link.invitation.heading',
} as const satisfies Record<LinkForm['kind'], MessageKey>;

const ROLE_TEXTS = {
  developer: 'link.invitation.developer',
  viewer: 'link.invitation.viewer',
} as const satisfies Record<InvitedRole, MessageKey>;

const strong = (email: string) => markup`<bdi dir="ltr"><strong>${email}</strong></bdi>`;

/** The form of a link. `error` is shown above it. */
export function accessLinkPage(
  language: PageLanguage,
  form: LinkForm,
  error: SignInRefusal | null = null,
): SignInPage {
  const { texts } = language;
  const heading = texts.text(HEADINGS[form.kind]);
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  const isNew = form.kind !== 'invitation' || !form.hasUser;
  const content = markup`<h1>${heading}</h1>
    ${introduction(language, form)}
    ${refusalNote(language, error)}
    <form method="post">
      ${form.kind === 'setup' ? emailField(language, form.email) : hiddenEmail(form.email)}
      <label for="password">${texts.text(isNew ? 'link.new-password' : 'signin.password')}</label>
      <input
        id="password"
        name="password"
        type="password"
        dir="ltr"
        autocomplete="${isNew ? 'new-password' : 'current-password'}"
        required
        ${isNew ? markup`minlength="8"` : null}
        maxlength="256"
        ${described} autofocus
      />
      ${isNew ? markup`<p class="soft">${texts.text('link.password-rules')}</p>` : null}
      <button type="submit">${texts.text(form.kind === 'invitation' ? 'link.invitation.submit' : 'link.submit')}</button>
    </form>`;
  return page(language, error?.status ?? 200, heading, content);
}

function introduction({ texts }: PageLanguage, form: LinkForm): Html {
  if (form.kind === 'setup') return markup`<p>${texts.text('link.setup.text')}</p>`;
  if (form.kind === 'password')
    return markup`<p>${texts.html('link.password.text', { email: strong(form.email) })}</p>`;
  const names = { inviter: strong(form.inviter), email: strong(form.email) };
  return markup`<p>${texts.html('link.invitation.text', names)}</p>
    <p>${texts.text(ROLE_TEXTS[form.role])}</p>
    ${form.hasUser ? markup`<p>${texts.text('link.invitation.has-user')}</p>` : null}`;
}

function emailField({ texts }: PageLanguage, email: string): Html {
  return markup`<label for="email">${texts.text('signin.email')}</label>
      <input
        id="email"
        name="email"
        type="email"
        dir="ltr"
        autocomplete="username"
        required
        maxlength="254"
        value="${email}"
      />`;
}

/** For password managers, which store the password with it. */
function hiddenEmail(email: string): Html {
  return markup`<input type="email" autocomplete="username" value="${email}" hidden readonly />`;
}

const DONE_TEXTS = {
  setup: 'link.done.setup',
  password: 'link.done.password',
  invitation: 'link.done.invitation',
} as const satisfies Record<LinkForm['kind'], MessageKey>;

/** The link is used up. */
export function accessLinkDonePage(language: PageLanguage, form: LinkForm): SignInPage {
  const { texts } = language;
  const heading = texts.text('link.done.heading');
  const account = form.kind === 'invitation' ? `/accounts/${form.accountId}` : '';
  const content = markup`<h1>${heading}</h1>
    <p>${texts.text(DONE_TEXTS[form.kind])}</p>
    <p><a href="../../dashboard${account}">${texts.text('link.done.dashboard')}</a></p>`;
  return page({ texts, languageLink: null }, 200, heading, content);
}

/** There is no such link, or not any more. */
export function accessLinkEndedPage(language: PageLanguage): SignInPage {
  const { texts } = language;
  const heading = texts.text('link.ended.heading');
  const content = markup`<h1>${heading}</h1>
    <p role="alert">${texts.text('link.ended.text')}</p>`;
  return page(language, 404, heading, content);
}
