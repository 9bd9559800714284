import { readFileSync } from 'node:fs';

/** Scripts and style sheets of web/, as `npm run build` writes them. */
export type WebAsset =
  'checkout.js' | 'refund.js' | 'docs.js' | 'page.css' | 'docs.css' | 'sign-in.css' | 'verify-address.html';

const read = new Map<WebAsset, string>();

/** The text of a file of web/build/, which does not change while the program runs. */
export function webAsset(name: WebAsset): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  // The same way from src/ and from dist/src/.
  const text = readFileSync(new URL(`../../../web/build/${name}`, import.meta.url), 'utf8');
  read.set(name, text);
  return text;
}
