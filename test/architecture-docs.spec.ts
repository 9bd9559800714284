import { readdirSync, readFileSync } from 'node:fs';
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

/** The module that a file of src/ belongs to. */
const moduleOf = (file: string): string | undefined =>
  Object.keys(declared).find((name) => file.startsWith(`src/${name}/`));

/** `from -> to` of every import of one module by another. */
function crossings(): Set<string> {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, 'src', file), 'utf8');
      return [...text.matchAll(/(?:\bfrom|\bimport) ?\(?'(\.[^']+)'/g)].map(
        ([, to = '']) =>
          `${moduleOf(`src/${file}`)} -> ${moduleOf(path.join('src', path.dirname(file), to))}`,
      );
    });
  return new Set(found);
}

describe('the import rules', () => {
  it('permit nothing that no file uses', () => {
    const used = crossings();
    const permitted = Object.entries(declared).flatMap(([from, list]) =>
      list.map((to) => `${from} -> ${to}`),
    );
    expect(permitted.length).toBeGreaterThan(40);
    expect(permitted.filter((edge) => !used.has(edge))).toEqual([]);
  });
});

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
