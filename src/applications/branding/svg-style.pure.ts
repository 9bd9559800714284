import { isPlainValue, PROPERTIES, REFERENCE, REFERRING } from './svg-vocabulary.pure.js';
import { LogoProblem } from './xml-parser.pure.js';

const RULE = /\s*([\w\s.,#*>-]+)\{([^{}]*)\}\s*/y;

/**
 * Declarations of CSS: properties of SVG with plain values. Other properties with plain values, which editors write, are
 * dropped.
 * @param onReference called with the id of each `url(#id)`; null: there may be none
 * @throws LogoProblem
 */
export function cleanDeclarations(text: string, onReference: ((id: string) => void) | null): string {
  if (/[\\@<&]|\/\*/.test(text)) throw new LogoProblem('its style has an escape, a comment or an at-rule');
  const kept: string[] = [];
  for (const declaration of text.split(';')) {
    if (declaration.trim() === '') continue;
    const [, property = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^]*?)\s*$/.exec(declaration) ?? [];
    if (property === '') throw new LogoProblem('its style cannot be read');
    const name = property.toLowerCase();
    const [, , id] = REFERRING.has(name) ? (REFERENCE.exec(value) ?? []) : [];
    if (id !== undefined && onReference) onReference(id);
    else if (!isPlainValue(value))
      throw new LogoProblem(
        `the value of ${name.slice(0, 40)} in its style is not a plain one, e.g. it has url()`,
      );
    if (PROPERTIES.has(name)) kept.push(`${name}:${value}`);
  }
  return kept.join(';');
}

/**
 * A style sheet of plain rules; no at-rule, which could load something, and no url().
 * @throws LogoProblem
 */
export function cleanStyleSheet(text: string): string {
  const rules = text.replaceAll(/\/\*[^]*?\*\//g, ' ').trim();
  const kept: string[] = [];
  RULE.lastIndex = 0;
  while (RULE.lastIndex < rules.length) {
    const match = RULE.exec(rules);
    if (!match) throw new LogoProblem('its style sheet has more than plain rules, e.g. @import');
    const [, selector = '', declarations = ''] = match;
    kept.push(`${selector.trim()}{${cleanDeclarations(declarations, null)}}`);
  }
  return kept.join('');
}
