import { GRANTS } from '../../../migrations/grants.js';

/** A right of a role: `select`, `insert`, `delete`, `update (<column>)`, … on a table. */
export interface TableRight {
  table: string;
  right: string;
}

/** What a role lacks of the declared rights, and what it has beyond them. */
export interface RightDifferences {
  missing: TableRight[];
  excess: TableRight[];
}

/** The declared rights one by one. @throws Error for a text that is not of the form of migrations/grants.ts */
export function declaredRights(grants: Readonly<Record<string, string>> = GRANTS): TableRight[] {
  return Object.entries(grants).flatMap(([table, text]) =>
    ['select', ...rightsIn(table, text)].map((right) => ({ table, right })),
  );
}

function rightsIn(table: string, text: string): string[] {
  // Parts between commas; those within parentheses are columns.
  const parts = text.match(/[^,(]+(?:\([^)]*\)?)?/g) ?? [];
  return parts.flatMap((untrimmed) => {
    const part = untrimmed.trim();
    const [, columns] = /^update \(([a-z_]+(?:, [a-z_]+)*)\)$/.exec(part) ?? [];
    if (columns !== undefined) return columns.split(', ').map((column) => `update (${column})`);
    if (part !== 'insert' && part !== 'delete') throw new Error(`the rights on ${table}: "${part}"`);
    return [part];
  });
}

/** Compares what a role may do with what is declared. */
export function compareRights(
  actual: readonly TableRight[],
  declared: readonly TableRight[] = declaredRights(),
): RightDifferences {
  const [has, wants] = [actual, declared].map((rights) => new Set(rights.map(nameOf)));
  return {
    missing: declared.filter((right) => !has?.has(nameOf(right))),
    excess: actual.filter((right) => !wants?.has(nameOf(right))),
  };
}

const nameOf = ({ table, right }: TableRight): string => `${table} ${right}`;
