// What a migration must not do while the release before serves requests: read from the statements that it sent, as
// Postgres' own parser understands them. What each statement locks: PostgreSQL 18, "ALTER TABLE" and "Explicit Locking".
import { parse } from 'libpg-query';

/** Statements that can be sent again after an interruption, so that they need no transaction around them. */
const REPEATABLE = new Set([
  'SelectStmt',
  'VariableSetStmt',
  'IndexStmt',
  'UpdateStmt',
  'DeleteStmt',
  'InsertStmt',
]);
const OPAQUE_CHANGE =
  /\b(update|insert\s+into|delete\s+from|create\s+(unique\s+)?index|alter\s+table|drop\s+table)\b/i;

const kindOf = (node) => Object.keys(node)[0];

/** Every node of these kinds below a value, as [kind, node]. */
function* nodesOf(value, kinds) {
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    if (kinds.has(key)) yield [key, child];
    yield* nodesOf(child, kinds);
  }
}

const hasLimit = (statement) =>
  [...nodesOf(statement, new Set(['SelectStmt', 'query', 'subselect', 'ctequery', 'selectStmt']))].some(
    ([, node]) => node.limitCount !== undefined || node.SelectStmt?.limitCount !== undefined,
  );

/** The column of a check `column is not null`. */
const notNullColumn = ({ contype, raw_expr: check, keys }) => {
  if (contype === 'CONSTR_NOTNULL') return keys?.[0]?.String?.sval;
  const test = check?.NullTest;
  return test?.nulltesttype === 'IS_NOT_NULL' ? test.arg?.ColumnRef?.fields?.at(-1)?.String?.sval : undefined;
};

class Rules {
  problems = [];
  /** Columns by `table constraint`, of checks that the column is not null. */
  notNullChecks = new Map();
  /** `table column` whose check was validated. */
  validated = new Set();

  constructor({ drops = {}, releases = [] }) {
    this.drops = drops;
    this.releases = releases;
  }

  async check(migration) {
    this.migration = migration;
    this.created = new Set();
    this.addedHere = new Set();
    if (migration.repeatError !== null)
      this.refuse(
        `fails when it is run again after an interruption: ${migration.repeatError}`,
        'a migration without a transaction must be repeatable',
      );
    for (const { sql, rewritten } of migration.statements) {
      for (const { stmt } of (await parse(sql)).stmts) this.checkStatement(stmt);
      for (const table of rewritten.filter((name) => !this.created.has(name)))
        this.refuse(
          `rewrites ${table} under a lock that stops every request`,
          'add a column without a volatile default or of the other type, fill it in batches, and move over a release later',
        );
    }
  }

  refuse(what, instead) {
    this.problems.push(`${this.migration.name}: ${what}; ${instead}`);
  }

  /** Whether requests can be using the table: it was there before this migration. */
  isInUse(relation) {
    return relation !== undefined && !this.created.has(relation.relname);
  }

  checkStatement(statement) {
    const kind = kindOf(statement);
    const node = statement[kind];
    if (kind === 'CreateStmt') this.created.add(node.relation.relname);
    if (kind === 'CreateTableAsStmt') this.created.add(node.into.rel.relname);
    if (kind === 'IndexStmt' && !node.concurrent && this.isInUse(node.relation))
      this.refuse(
        `builds ${node.idxname} on ${node.relation.relname} without "concurrently", which stops writes`,
        'use "create index concurrently" in a migration with "transaction = false"',
      );
    if (kind === 'AlterTableStmt' && this.isInUse(node.relation))
      for (const { AlterTableCmd: command } of node.cmds) this.checkCommand(node.relation.relname, command);
    if (kind === 'RenameStmt') this.checkRename(node);
    if (kind === 'DropStmt' && node.removeType === 'OBJECT_TABLE')
      for (const { List: name } of node.objects) this.checkDrop(name.items.at(-1).String.sval);
    if (kind === 'DoStmt') this.checkBlock(node);
    this.checkRows(statement);
    if (!this.migration.isTransactional) this.checkRepeatable(kind, node);
  }

  checkCommand(table, { subtype, name, def }) {
    if (subtype === 'AT_AddColumn') this.checkColumn(table, def.ColumnDef);
    if (subtype === 'AT_AddConstraint') this.checkConstraint(table, def.Constraint);
    if (subtype === 'AT_ValidateConstraint') this.checkValidation(table, name);
    if (subtype === 'AT_SetNotNull' && !this.validated.has(`${table} ${name}`))
      this.refuse(
        `sets ${table}.${name} not null, which reads the table under a lock that stops every request`,
        `validate a check "${name} is not null" before, in a migration of its own`,
      );
    if (subtype === 'AT_DropColumn') this.checkDrop(`${table}.${name}`);
  }

  checkColumn(table, { colname, constraints = [] }) {
    const kinds = constraints.map(({ Constraint: { contype } }) => contype);
    if (kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT'))
      this.refuse(
        `adds ${table}.${colname} as not null without a default, which fails on rows of the release before`,
        'give it a constant default, or let it be null for one release',
      );
    for (const kind of ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'])
      if (kinds.includes(kind))
        this.refuse(
          `adds ${table}.${colname} with a constraint that is verified under the lock`,
          'add the constraint as one of the table, "not valid" or "using index"',
        );
  }

  checkConstraint(table, constraint) {
    const { contype, conname = 'a constraint', skip_validation: isNotValid, indexname } = constraint;
    this.addedHere.add(`${table} ${conname}`);
    const column = notNullColumn(constraint);
    if (column !== undefined) this.notNullChecks.set(`${table} ${conname}`, column);
    if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(contype)) {
      if (indexname === undefined)
        this.refuse(
          `adds ${conname} to ${table}, which builds its index under a lock that stops every request`,
          'build the index concurrently before, and add the constraint "using index"',
        );
    } else if (!isNotValid)
      this.refuse(
        `adds ${conname} to ${table} without "not valid", which reads the table under the lock`,
        'add it as "not valid", and validate it in a migration of its own',
      );
  }

  checkValidation(table, name) {
    const key = `${table} ${name}`;
    if (this.addedHere.has(key) && this.migration.isTransactional)
      this.refuse(
        `validates ${name} of ${table} in the transaction that adds it, and so under its lock`,
        'validate it in a migration of its own',
      );
    const column = this.notNullChecks.get(key);
    if (column !== undefined) this.validated.add(`${table} ${column}`);
  }

  /** @param {string} name of a table, or `table.column` */
  checkDrop(name) {
    if (this.created.has(name)) return;
    const since = this.drops[name];
    if (since === undefined)
      this.refuse(
        `drops ${name}, which the release before may use`,
        'release a version that does not use it, then declare the drop in scripts/check-migrations.mjs',
      );
    else if (!this.releases.includes(since))
      this.refuse(
        `drops ${name}, which is declared as unused since ${since}`,
        'that is no release of CHANGELOG.md',
      );
  }

  checkRename({ renameType, relation, subname, newname }) {
    if (!['OBJECT_TABLE', 'OBJECT_COLUMN'].includes(renameType) || !this.isInUse(relation)) return;
    const what = renameType === 'OBJECT_TABLE' ? relation.relname : `${relation.relname}.${subname}`;
    this.refuse(
      `renames ${what} to ${newname}, so that one of the two releases that run side by side fails`,
      'add the new one, write both for one release, and drop the old one a release later',
    );
  }

  checkBlock({ args }) {
    const body = args.find(({ DefElem: { defname } }) => defname === 'as')?.DefElem.arg.String.sval ?? '';
    const [change] = OPAQUE_CHANGE.exec(body) ?? [];
    if (change !== undefined)
      this.refuse(`hides "${change}" in a DO block`, 'send the statement itself, so that it can be checked');
  }

  /** Writes of rows that are there: in batches, or not at all. */
  checkRows(statement) {
    for (const [kind, node] of nodesOf(statement, new Set(['UpdateStmt', 'DeleteStmt', 'InsertStmt']))) {
      const sources = kind === 'InsertStmt' ? node.selectStmt?.SelectStmt?.fromClause : undefined;
      const readsTable = [...nodesOf(sources, new Set(['RangeVar']))].some(([, table]) =>
        this.isInUse(table),
      );
      if (kind === 'InsertStmt' ? !readsTable : !this.isInUse(node.relation)) continue;
      if (hasLimit(statement) && !this.migration.isTransactional) continue;
      const verb = { UpdateStmt: 'updates', DeleteStmt: 'deletes', InsertStmt: 'copies' }[kind];
      this.refuse(
        `${verb} rows of ${node.relation.relname} in one transaction, whose locks stop requests`,
        'write in batches, with a limit, in a migration with "transaction = false"',
      );
    }
  }

  checkRepeatable(kind, node) {
    const isValidation =
      kind === 'AlterTableStmt' &&
      node.cmds.every(({ AlterTableCmd }) => AlterTableCmd.subtype === 'AT_ValidateConstraint');
    const isIndexDropped = kind === 'DropStmt' && node.removeType === 'OBJECT_INDEX';
    if (!REPEATABLE.has(kind) && !isValidation && !isIndexDropped)
      this.refuse(`sends a ${kind} without a transaction`, 'move it to a migration with one');
  }
}

/**
 * @param {readonly { name: string, isTransactional: boolean, repeatError: string | null,
 *   statements: { sql: string, rewritten: string[] }[] }[]} migrations in order
 * @param {{ drops?: Record<string, string>, releases?: readonly string[] }} declared drops: the release since which a
 *   table or a `table.column` is not used any more
 * @returns {Promise<string[]>} problems
 */
export async function migrationProblems(migrations, declared = {}) {
  const rules = new Rules(declared);
  for (const migration of migrations) await rules.check(migration);
  return rules.problems;
}

/** The time in the name of a migration is this many milliseconds and a second for each number. */
const FIRST_TIME = 1_795_996_800_000;
const IMPORT = /^import \{ (\w+?)(\d{13}) \} from '\.\/(.+)\.js';$/gm;

/**
 * Each migration has a number of its own, which its file begins with, its class repeats as a time, and index.ts follows.
 * @param names of all files of migrations/
 */
export function numberProblems(names, index) {
  const files = names
    .filter((name) => /^\d{4}-.+\.ts$/.test(name))
    .map((name) => name.slice(0, -3))
    .sort();
  const numberOf = (file) => Number(file.slice(0, 4));
  const twice = files.filter((file, at) => at > 0 && numberOf(file) === numberOf(files[at - 1]));
  const listed = [...index.matchAll(IMPORT)];
  const misnamed = listed.filter(([, name, time, file]) => {
    const words = file.slice(5).split('-');
    const expected = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
    return name !== expected || Number(time) !== FIRST_TIME + numberOf(file) * 1_000;
  });
  return [
    ...twice.map((file) => `${file}: another migration has this number`),
    ...misnamed.map(([, name, time, file]) => `${file}: ${name}${time} does not repeat its name and number`),
    ...(listed.map(([, , , file]) => file).join() === files.join()
      ? []
      : ['index.ts does not list the files in their order']),
  ];
}
