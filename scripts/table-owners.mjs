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
 * Each table's owner: the module of its entity.
 * @param {Map<string, string>} files text by path
 */
export function ownersOf(files) {
  const owners = new Map();
  for (const [file, text] of files)
    if (file.endsWith('.entity.ts'))
      for (const [, table] of text.matchAll(/@Entity\(\s*'([a-z_]+)'/g)) owners.set(table, moduleOf(file));
  return owners;
}

/** TypeORM's own table. */
const MIGRATIONS = 'migrations';

/**
 * @param {string} schema migrations/schema.sql
 * @param {Map<string, string>} owners
 */
export function tablesWithoutEntity(schema, owners) {
  const tables = [...schema.matchAll(/^create table "?([a-z_]+)"?/gim)].map(([, table]) => table);
  return tables
    .filter((table) => table !== MIGRATIONS && !owners.has(table))
    .map((table) => `${table}: a table without an entity`);
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
 *   writers: Record<string, Record<string, string>> }} rules writers may read as well
 * @returns {string[]} problems
 */
export function checkTableOwners(files, { owners, readers, writers }) {
  const problems = new Set();
  const unusedReaders = pairsOf(readers);
  const unusedWriters = pairsOf(writers);
  for (const [file, text] of files) {
    const module = moduleOf(file);
    const isRepository = file.endsWith('.repository.ts');
    for (const { value, line } of literalsOf(file, text)) {
      if (!SQL_START.test(value)) continue;
      const named = [...value.matchAll(TABLE_NAMES)].filter(({ groups }) => owners.has(groups.table));
      if (named.length > 0 && !isRepository)
        problems.add(`${file}:${line}: SQL of ${named[0].groups.table} outside of a *.repository.ts`);
      for (const { groups } of named) {
        const owner = owners.get(groups.table);
        if (owner === module) continue;
        (groups.write ? unusedWriters : unusedReaders).delete(`${groups.table} ${module}`);
        const isWriter = writers[groups.table]?.[module] !== undefined;
        const isReader = readers[groups.table]?.[module] !== undefined;
        if (!isWriter && (groups.write || !isReader))
          problems.add(
            `${file}:${line}: ${groups.write ?? 'SQL'} of ${groups.table}, which belongs to ${owner}`,
          );
      }
    }
  }
  for (const reader of unusedReaders) problems.add(`${reader}: a declared reader that does not read`);
  for (const writer of unusedWriters) problems.add(`${writer}: a declared writer that does not write`);
  return [...problems];
}
