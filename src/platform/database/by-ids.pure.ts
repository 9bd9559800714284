/** A text and the values of its parameters, to spread into `sql.query()`. */
export type Statement = readonly [text: string, values: readonly unknown[]];

/**
 * A statement for the rows of some ids, with a text of its own for a single id. Postgres plans a statement once if a plan
 * without the values looks as cheap as one with them. For a list that is never so: without the values, it counts as ten
 * ids. A list of one would be planned at each call, which takes as long as running it.
 * @param textFor takes the condition for the column with the id: `where p.id ${among}`
 */
export function byIds(textFor: (among: string) => string): (ids: readonly string[]) => Statement {
  const [one, many] = [textFor('= $1::uuid'), textFor('= any($1::uuid[])')];
  return (ids) => (ids.length === 1 ? [one, ids] : [many, [ids]]);
}
