import { markup } from '../../platform/kernel/markup.pure.js';
import type { PageLanguage } from './sign-in-language.js';
import { page, refusalNote, type SignInPage, type SignInRefusal } from './sign-in-pages.pure.js';

/** Asks for the address of an account. `error` is shown above the form. */
export function forgottenPasswordPage(
  language: PageLanguage,
  email: string,
  error: SignInRefusal | null,
): SignInPage {
  const { texts } = language;
  const described = error && markup` aria-invalid="true" aria-describedby="error"`;
  const heading = texts.text('forgotten.heading');
  const content = markup`<h1>${heading}</h1>
    <p>${texts.text('forgotten.text')}</p>
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
        ${described} autofocus
      />
      <button type="submit">${texts.text('forgotten.submit')}</button>
    </form>`;
  return page(language, error?.status ?? 200, heading, content);
}

/** The same for an address without an account. */
export function passwordAskedPage(language: PageLanguage): SignInPage {
  const { texts } = language;
  const heading = texts.text('forgotten.heading');
  const content = markup`<h1>${heading}</h1>
    <p role="status">${texts.text('forgotten.done')}</p>
    <p><a href="/dashboard">${texts.text('signin.heading')}</a></p>`;
  return page(language, 200, heading, content);
}
