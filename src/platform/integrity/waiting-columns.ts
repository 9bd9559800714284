import type { Config } from '../../config.js';
import { columnOf, type EntityClass, tableOf } from '../database/entity-table.js';

interface Waiting {
  entity: EntityClass<object>;
  property: string;
  longest: (config: Config) => number;
  /** Of other rows the column says nothing. */
  only: Readonly<Record<string, string>>;
}

/** {@link Waits} in SQL, of its rows as `t`. */
export interface WaitingColumn {
  table: string;
  /** The primary key as text. */
  key: string;
  column: string;
  condition: string;
  longestSeconds: number;
}

const waiting: Waiting[] = [];

/**
 * Until then nobody looks at the row. The gateway writes no time that is farther ahead than `longest` seconds: whoever
 * writes the database could let the row sleep for ever with one that is, and is named instead
 * (docs/decisions/0873-name-what-was-silenced.md).
 */
export function Waits(
  longest: (config: Config) => number,
  only: Readonly<Record<string, string>> = {},
): PropertyDecorator {
  return (target, property) => {
    waiting.push({
      entity: target.constructor as EntityClass<object>,
      property: String(property),
      longest,
      only,
    });
  };
}

export function waitingColumns(config: Config): WaitingColumn[] {
  return waiting.map(({ entity, property, longest, only }) => {
    const keys = [...tableOf(entity).columns.values()]
      .filter(({ isPrimary }) => isPrimary)
      .map(({ name }) => `t.${name}`);
    return {
      table: tableOf(entity).name,
      key: `concat_ws('/', ${keys.join(', ')})`,
      column: columnOf(entity, property).name,
      condition: Object.entries(only)
        .map(([name, value]) => `t.${columnOf(entity, name).name} = '${value}'`)
        .concat('true')
        .join(' and '),
      longestSeconds: longest(config),
    };
  });
}
