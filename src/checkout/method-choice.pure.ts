import { similarNames } from '../platform/kernel/errors/similar-names.pure.js';

/** A method as named by a path or an earlier selection; compared in lower case. */
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
  /** There is no such method. */
  | { kind: 'unknown' }
  /** It exists, but not for this payment. */
  | { kind: 'not_allowed' }
  /** Several fit, and none of them is selected. */
  | { kind: 'ambiguous' };

/**
 * Resolves a possibly partial name: of the methods that fit, the one that is selected, or else the only one
 * (specification/checkout.md#instructions-path). `allowed` is already limited to the payment's own chain.
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

const MAX_SUGGESTIONS = 3;

/** `ethereum/eth, bsc/bnb`: methods as the instructions path names them. */
export function listMethods(methods: readonly Named[]): string {
  return methods.map(({ provider, method }) => `${provider}/${method}`).join(', ') || 'nothing';
}

/**
 * The methods that a wrong name most likely means: provider and method swapped, mistyped, or only one of them right.
 * Empty: none is similar.
 */
export function similarMethods<M extends Named>(wanted: MethodName, allowed: readonly M[]): M[] {
  const [provider, method] = [wanted.provider?.toLowerCase() ?? '', wanted.method?.toLowerCase() ?? ''];
  const swapped = allowed.filter((m) => m.provider === method && m.method === provider);
  if (swapped.length > 0) return swapped;
  const providers = similarOf(
    provider,
    allowed.map((m) => m.provider),
  );
  const methods = similarOf(
    method,
    allowed.map((m) => m.method),
  );
  const byMethod = allowed.filter((m) => methods.includes(m.method));
  const byBoth = byMethod.filter((m) => providers.includes(m.provider));
  const byProvider = allowed.filter((m) => providers.includes(m.provider));
  const found = [byBoth, byMethod, byProvider].find(({ length }) => length > 0) ?? [];
  return found.slice(0, MAX_SUGGESTIONS);
}

function similarOf(name: string, known: readonly string[]): string[] {
  return known.includes(name) ? [name] : similarNames(name, [...new Set(known)]);
}
