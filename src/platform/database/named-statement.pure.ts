/** Static SQL whose parameters have names instead of positions. */
export interface NamedStatement<Values extends object> {
  /** With $1, $2 … in the order in which the names first appear. */
  text: string;
  /** The values in that order. */
  values: (of: Values) => unknown[];
}

/** `:name`, but not the cast `::type`. */
const PARAMETER = /(?<!:):([a-z][A-Za-z]*)\b/g;

/**
 * Gives names to the parameters of a statement: `where id = :id` takes `{ id }`. A name may appear any number of times
 * and is one parameter. Build it once, where the text is declared, so that the statement stays static and prepared.
 */
export function namedStatement<Values extends object>(source: string): NamedStatement<Values> {
  const names: string[] = [];
  const text = source.replace(PARAMETER, (_match, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, values: (of) => names.map((name) => valueOf(of, name)) };
}

function valueOf(values: object, name: string): unknown {
  if (!(name in values)) throw new Error(`the statement has no value for :${name}`);
  return (values as Record<string, unknown>)[name];
}
