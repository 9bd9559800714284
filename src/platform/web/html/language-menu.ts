import { LANGUAGE_NAMES, LOCALES } from '../../kernel/i18n/locale.pure.js';
import type { LanguageLink } from '../../kernel/i18n/request-texts.js';
import type { Texts } from '../../kernel/i18n/texts.js';
import { Html, markup } from '../../kernel/markup.pure.js';

/** For customers who cannot read the word beside it. */
const GLOBE = new Html(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3a14 14 0 0 1 0 18 14 14 0 0 1 0-18"/></svg>',
);

/** Links to the page in each language, unfolded without JavaScript. */
export function languageMenu(texts: Texts, linkTo: LanguageLink): Html {
  // The pseudo-locale is English.
  const own = LOCALES.find((locale) => locale === texts.locale) ?? 'en';
  const name = markup`<bdi>${LANGUAGE_NAMES[own]}</bdi>`;
  const items = LOCALES.map((locale) => {
    const current = locale === texts.locale ? markup` aria-current="true"` : null;
    return markup`<li><a href="${linkTo(locale)}" lang="${locale}" hreflang="${locale}"${current}><bdi>${LANGUAGE_NAMES[locale]}</bdi></a></li>`;
  });
  return markup`<details class="languages" id="languages"><summary>${GLOBE}${texts.html('page.language', { name })}</summary>
<ul>${items}</ul></details>`;
}
