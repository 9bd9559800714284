// Finds SQL outside of repositories, and SQL that names a table of another module.
import ts from 'typescript';

const SQL_START =
  /^\s*(?:(?:select|insert into|update|delete from|with|lock table|truncate|from|join|left join|where|on conflict|\()\b|[a-z_]+ as (?:materialized )?\()/;
const TABLE_NAMES =
  /\b(?:(?<write>insert into|update|delete from|truncate(?: table)?)|from|(?<!do )join|lock table)\s+(?:only\s+)?"?(?<table>[a-z_]+)"?/g;
const NESTED = /^src\/((?:(?:identity|operations)\/)?[^/]+)\//;

/** @param {string} file */
export const moduleOf = (file) => NESTED.exec(file)?.[1] ?? 'src';

/**
 * Each table's owner: the module of its entity, or the declared one while it has no entity.
 * @param {Map<string, string>} files text by path
 * @param {Record<string, string>} declared
 */
export function ownersOf(files, declared) {
  const owners = new Map(Object.entries(declared));
  for (const [file, text] of files)
    if (file.endsWith('.entity.ts'))
      for (const [, table] of text.matchAll(/@Entity\(\s*'([a-z_]+)'/g)) owners.set(table, moduleOf(file));
  return owners;
}

/** Texts of a file's string and template literals; an expression inside one stands as `$`. */
function literalsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const literals = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) literals.push([node, node.text]);
    else if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ literal }) => literal.text);
      literals.push([node, [node.head.text, ...parts].join('$')]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return literals.map(([node, value]) => ({
    value,
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
  }));
}

/**
 * `table module` for each module that is declared for a table.
 * @param {Record<string, Record<string, string>>} declared
 */
const pairsOf = (declared) =>
  new Set(
    Object.entries(declared).flatMap(([table, modules]) =>
      Object.keys(modules).map((module) => `${table} ${module}`),
    ),
  );

/**
 * @param {Map<string, string>} files text by path
 * @param {{ owners: Map<string, string>, readers: Record<string, Record<string, string>>,
 *   writers: Record<string, Record<string, string>>, infrastructure: string[], notConverted: string[] }} rules writers
 *   may read as well
 * @returns {{ problems: string[], notConverted: number, converted: string[] }} converted: of `notConverted`, those
 *   that have nothing left to convert
 */
export function checkTableOwners(files, { owners, readers, writers, infrastructure, notConverted }) {
  const problems = [];
  const waiting = new Set(notConverted);
  const unusedReaders = pairsOf(readers);
  const unusedWriters = pairsOf(writers);
  for (const [file, text] of files) {
    const found = [];
    const module = moduleOf(file);
    const isRepository = file.endsWith('.repository.ts');
    for (const { value, line } of literalsOf(file, text)) {
      if (!SQL_START.test(value)) continue;
      const named = [...value.matchAll(TABLE_NAMES)].filter(({ groups }) => owners.has(groups.table));
      if (named.length > 0 && !isRepository && !infrastructure.includes(file))
        found.push(`${file}:${line}: SQL of ${named[0].groups.table} outside of a *.repository.ts`);
      for (const { groups } of named) {
        const owner = owners.get(groups.table);
        if (owner === module) continue;
        (groups.write ? unusedWriters : unusedReaders).delete(`${groups.table} ${module}`);
        const isWriter = writers[groups.table]?.[module] !== undefined;
        const isReader = readers[groups.table]?.[module] !== undefined;
        if (!isWriter && (groups.write || !isReader))
          found.push(
            `${file}:${line}: ${groups.write ?? 'SQL'} of ${groups.table}, which belongs to ${owner}`,
          );
      }
    }
    if (!waiting.has(file)) problems.push(...found);
    else if (found.length > 0) waiting.delete(file);
  }
  for (const reader of unusedReaders) problems.push(`${reader}: a declared reader that does not read`);
  for (const writer of unusedWriters) problems.push(`${writer}: a declared writer that does not write`);
  return {
    problems: [...new Set(problems)],
    notConverted: notConverted.length - waiting.size,
    converted: [...waiting],
  };
}
