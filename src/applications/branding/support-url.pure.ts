import { HTTP_URL_FORM } from '../../platform/web/contract/text-forms.pure.js';
import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** One address, and at most a subject: no other field of a mail may be filled in. */
const MAILTO =
  /^[Mm][Aa][Ii][Ll][Tt][Oo]:[\w.!#$%&'*+/=^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?:\?[Ss][Uu][Bb][Jj][Ee][Cc][Tt]=[\w.~%+-]*)?$/;
/** What `supportUrl` may be, for the document, which knows no flags of patterns. */
export const SUPPORT_URL_PATTERN = `${HTTP_URL_FORM.source}|${MAILTO.source}`;

export interface SupportLink {
  href: string;
  /** The host or the address, shown so that the target is visible. */
  target: string;
}

/** Whether it is a mailto address that a page may link to. */
export function isMailto(text: string): boolean {
  return MAILTO.test(text);
}

/** What the page links to; null for anything but an address that {@link isMailto} or http(s) without user info. */
export function supportLink(text: string | null): SupportLink | null {
  if (text === null) return null;
  if (isMailto(text)) return { href: text, target: text.slice('mailto:'.length).replace(/\?[^]*/, '') };
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? { href: url.href, target: url.host } : null;
}
