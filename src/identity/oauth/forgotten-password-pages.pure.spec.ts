import { LOCALES } from '../../platform/kernel/i18n/locale.pure.js';
import { textsOf } from '../../platform/kernel/i18n/texts.js';
import { forgottenPasswordPage, passwordAskedPage } from './forgotten-password-pages.pure.js';

const en = { texts: textsOf('en'), languageLink: null };

describe('the page of a forgotten password', () => {
  it.each<[string, Parameters<typeof forgottenPasswordPage>[2], number, boolean]>([
    ['at first', null, 200, false],
    ['after what is no address', { status: 422, text: 'link.email-refused' }, 422, true],
  ])('%s', (_when, error, status, isRefused) => {
    const shown = forgottenPasswordPage(en, '"><script>', error);
    expect(shown.status).toBe(status);
    expect(shown.body.includes('role="alert"')).toBe(isRefused);
    expect(shown.body).not.toContain('<script>');
  });

  it.each(LOCALES)('says in %s that a mail is sent if there is an account', (locale) => {
    const { status, body } = passwordAskedPage({ texts: textsOf(locale), languageLink: null });
    expect([status, body.includes('role="status"')]).toEqual([200, true]);
  });
});
