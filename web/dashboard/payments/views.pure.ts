/** A list with its filters that the user has given a name. */
export interface View {
  name: string;
  /** The query of its address. */
  query: string;
}

const PREFIX = '/payments?';

/** Those of this list; what else a dashboard has saved is not touched. */
export function viewsOf(saved: Readonly<Record<string, string>>): View[] {
  return Object.entries(saved)
    .filter(([, value]) => value.startsWith(PREFIX))
    .map(([name, value]) => ({ name, query: value.slice(PREFIX.length) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

export function withView(saved: Readonly<Record<string, string>>, { name, query }: View) {
  return { ...saved, [name]: `${PREFIX}${query}` };
}

export function withoutView(saved: Readonly<Record<string, string>>, name: string) {
  return Object.fromEntries(Object.entries(saved).filter(([one]) => one !== name));
}
