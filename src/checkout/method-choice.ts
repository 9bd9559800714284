/** What a path or an earlier choice names; compared in lower case. */
export interface MethodName {
  provider: string | null;
  method: string | null;
}

interface Named {
  provider: string;
  method: string;
}

export type Choice<M extends Named> =
  | { kind: 'chosen'; method: M }
  /** Nobody knows such a method. */
  | { kind: 'unknown' }
  /** It exists, but not for this payment. */
  | { kind: 'not_allowed' }
  /** Several are possible and nothing says which. */
  | { kind: 'ambiguous' };

/**
 * Resolves a possibly partial name: what it says must fit; of what is left, the method selected before
 * wins, else the only one (api.md D4). The payment's own chain has already narrowed `allowed`.
 */
export function chooseMethod<M extends Named>(
  wanted: MethodName,
  selected: MethodName,
  allowed: readonly M[],
  known: readonly M[],
): Choice<M> {
  const name = {
    provider: wanted.provider?.toLowerCase() || null,
    method: wanted.method?.toLowerCase() || null,
  };
  const fitting = allowed.filter((candidate) => fits(candidate, name));
  const earlier = fitting.find((m) => m.provider === selected.provider && m.method === selected.method);
  const [only, another] = fitting;
  if (earlier) return { kind: 'chosen', method: earlier };
  if (only) return another ? { kind: 'ambiguous' } : { kind: 'chosen', method: only };
  if (name.provider === null && name.method === null) return { kind: 'ambiguous' };
  return { kind: known.some((candidate) => fits(candidate, name)) ? 'not_allowed' : 'unknown' };
}

function fits(candidate: Named, { provider, method }: MethodName): boolean {
  return (
    (provider === null || candidate.provider === provider) && (method === null || candidate.method === method)
  );
}
