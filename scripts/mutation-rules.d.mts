import type { Mutation } from '../test/mutations/mutation.d.mts';

export interface Outcome {
  mutation: Mutation;
  noticed: { spec: string; title: string } | null;
  seconds: number;
}

export const MUTATIONS: Mutation[];
export const TABLE_HEAD: string[];
export function mutationProblems(mutations: readonly Mutation[], texts: Map<string, string>): string[];
export function plant(mutation: Mutation, text: string): string;
export function stagesOf(
  mutation: Pick<Mutation, 'suite'>,
  near: readonly string[],
  far?: readonly string[],
): string[][];
export function mutationRow(outcome: Outcome): string;
