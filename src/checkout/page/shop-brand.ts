import { type AccentColors, accentColors } from '../../applications/branding/accent.pure.js';
import { logoFromPage } from '../../applications/branding/logo-url.pure.js';
import { supportLink } from '../../applications/branding/support-url.pure.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { frameOrigin } from '../../platform/web/html/page-headers.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import type { MerchantSettingsContract } from '../checkout.contract.js';
import { initialsOf } from './shop-initials.pure.js';

type Shop = Pick<MerchantSettingsContract, 'title' | 'url' | 'image' | 'supportUrl' | 'accent'>;

const LOGO = '.logo{display:block;max-width:min(12rem,100%);max-height:3rem;margin-block-end:.25rem}';

function theme({ accent, onAccent, tint }: AccentColors): string {
  return `:root{--ink:${accent};--on-ink:${onAccent};--accent:${accent};--on-accent:${onAccent};--accent-bg:${tint}}`;
}

/** Custom properties in the color of the shop, and the size of its logo; null: neither. */
export function brandTheme({ accent, image }: Pick<Shop, 'accent' | 'image'>): Html | null {
  const colors = accent !== null && /^#[0-9a-f]{6}$/.test(accent) ? accentColors(accent) : null;
  if (!colors && image === null) return null;
  // Computed colors and our own text: nothing that a merchant wrote.
  const text = colors
    ? `${theme(colors.light)}@media screen and (prefers-color-scheme:dark){${theme(colors.dark)}}`
    : '';
  return new Html(`${text}${image === null ? '' : LOGO}`);
}

/** In place of the name, which it is for whoever does not see it. */
export function logo({ image, title }: Pick<Shop, 'image' | 'title'>): Html | null {
  return image === null ? null : markup`<img class="logo" src="${logoFromPage(image)}" alt="${title}">`;
}

/** In place of a logo; null for a name without letters. */
export function initialsTile({ title }: Pick<Shop, 'title'>): Html | null {
  const initials = initialsOf(title);
  return initials === '' ? null : markup`<span class="initials" aria-hidden="true">${initials}</span>`;
}

/** The origin that receives the status when the shop shows the page in a frame (web/checkout/embedded.ts). */
export function shopOrigin({ url }: Pick<Shop, 'url'>): Html | null {
  const origin = frameOrigin(url);
  return origin === null ? null : markup` data-shop-origin="${origin}"`;
}

export function supportAnchor({ supportUrl }: Pick<Shop, 'supportUrl'>, texts: Texts): Html | null {
  const link = supportLink(supportUrl);
  if (!link) return null;
  const target = markup`<bdi>${link.target}</bdi>`;
  // A new tab: the payment stays open.
  return markup`<p><a href="${link.href}" target="_blank" rel="noopener noreferrer">${texts.html('page.support', { target })}</a></p>`;
}
