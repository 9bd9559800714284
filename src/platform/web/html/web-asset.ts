import { readFileSync } from 'node:fs';
import { sha256 } from '../../kernel/hmac.pure.js';

/** Scripts and style sheets of web/, as `npm run build` writes them. */
export type WebAsset =
  | 'checkout.js'
  | 'embed.js'
  | 'refund.js'
  | 'receipt.js'
  | 'docs.js'
  | 'page.css'
  | 'docs.css'
  | 'sign-in.css'
  // Of the development profile.
  | 'sandbox.css'
  | 'sandbox.js'
  | 'collector.html'
  | 'verify-address.html';

/** Scripts of pages, served as files of their own. */
export const PAGE_SCRIPTS = ['checkout.js', 'receipt.js', 'refund.js'] as const;
export type PageScript = (typeof PAGE_SCRIPTS)[number];

const read = new Map<WebAsset, string>();

/** The text of a file of web/build/, which does not change while the program runs. */
export function webAsset(name: WebAsset): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  // The same way from src/ and from dist/src/.
  const text = readFileSync(new URL(`../../../../web/build/${name}`, import.meta.url), 'utf8');
  read.set(name, text);
  return text;
}

/** The name under which a script is served: other contents have another name, so it may be cached for ever. */
export function hashedName(name: PageScript): string {
  const hash = sha256(webAsset(name)).toString('hex').slice(0, 16);
  return name.replace(/\.js$/, `.${hash}.js`);
}

/** The script that is served under a name; null for any other name, also that of another release. */
export function findPageScript(hashed: string): string | null {
  const name = PAGE_SCRIPTS.find((script) => hashedName(script) === hashed);
  return name === undefined ? null : webAsset(name);
}
