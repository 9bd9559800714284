import { currentMain } from './dom.js';

/**
 * What the script shows and says comes with the page, in its language: the attribute `data-text-<name>` of `<main>`
 * (src/checkout/page/script-texts.ts). Empty where the page has no such text.
 */
export function text(name: string, values: Readonly<Record<string, string>> = {}): string {
  const template = currentMain().getAttribute(`data-text-${name}`) ?? '';
  return template.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
