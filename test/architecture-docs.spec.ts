import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

interface ImportRules {
  forbidden: { name: string; comment?: string }[];
}
const { forbidden } = createRequire(import.meta.url)(
  path.join(root, '.dependency-cruiser.cjs'),
) as ImportRules;

/** What every module may import; the table leaves it out. */
const OPEN = new Set(['platform', 'money', 'nothing']);

/** Modules with what else they may import, from the comments of the import rules. */
const declared = Object.fromEntries(
  forbidden
    .filter(({ name }) => name.startsWith('module-'))
    .map(({ name, comment = '' }) => {
      const [, list = ''] = /imports (.*) and the configuration/.exec(comment) ?? [];
      return [name.slice('module-'.length), list.split(', ').filter((other) => !OPEN.has(other))];
    }),
);

/** The same, from the rows of the table: module, content, may import. */
const documented = Object.fromEntries(
  [...page.matchAll(/^\| `([a-z/-]+)` +\|[^|]+\|([^|]*)\|$/gm)].map(([, name = '', list = '']) => [
    name,
    list,
  ]),
);

describe('docs/architecture.md', () => {
  it('lists every module with the modules that it may import', () => {
    const lists = Object.entries(documented).map(([name, list]) => [name, list.match(/[a-z/-]+/g) ?? []]);
    expect(Object.fromEntries(lists)).toEqual(declared);
  });

  it('draws the path of a payment through modules that exist', () => {
    const [, diagram = ''] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
    const drawn = [...diagram.matchAll(/^ +([a-z-]+) --|(?:-->) ([a-z-]+)$/gm)].map(
      ([, from, to]) => from ?? to,
    );
    const outside = ['shop', 'customer', 'chain', 'db'];
    const modules = new Set(drawn.filter((node) => node !== undefined && !outside.includes(node)));
    expect(modules.size).toBeGreaterThan(4);
    expect([...modules].filter((node) => node === undefined || !(node in declared))).toEqual([]);
  });
});
