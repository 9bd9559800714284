/** A text and the values of its parameters, to spread into `sql.query()`. */
export type Statement = readonly [text: string, values: readonly unknown[]];

/**
 * A statement for the rows of some ids, and the same for those of a single one. Postgres plans a statement once when a
 * plan without the values looks as cheap as one with them. One that takes a list never does: without the values, a list
 * counts as ten ids. For a single id it was planned at each call, which took as long as running it.
 * @param textFor takes the condition for the column with the id: `where p.id ${among}`
 */
export function byIds(textFor: (among: string) => string): (ids: readonly string[]) => Statement {
  const [one, many] = [textFor('= $1::uuid'), textFor('= any($1::uuid[])')];
  return (ids) => (ids.length === 1 ? [one, ids] : [many, [ids]]);
}
