/** Rows of one table, aliased `t`, in an index that begins with what `among` fixes, then the key, then the order. */
export interface Groups {
  table: string;
  key: string;
  order: string;
  /** Which rows the index leads to. */
  among: string;
  /** Which of these count. */
  isOne: string;
}

/**
 * The first row that counts of each key, as `key` and `first`. Each key is found past the rows of the one before, so that
 * it costs the same however many rows one of them has (a loose index scan, which Postgres does not do by itself).
 */
export function firstOfEach({ table, key, order, among, isOne }: Groups): string {
  const next = (more: string) =>
    `(select t.${key} from ${table} t where ${among}${more} order by t.${key} limit 1)`;
  return `
  with recursive reached (key) as (
    ${next('')}
    union all
    select ${next(` and t.${key} > r.key`)} from reached r where r.key is not null
  )
  select r.key, one.first from reached r cross join lateral (
    select t.${order} as first from ${table} t
    where ${among} and t.${key} = r.key and ${isOne} order by t.${order} limit 1) one`;
}
