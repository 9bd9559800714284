/** What steps bring about, beside themselves. */
export const OCCURRENCES = [
  'EVM transactions that a reorg mined again',
  'EVM transactions that a reorg mined again at another height',
  'EVM transactions that a reorg mined again with another effect',
  'EVM transactions that a reorg left out',
  'Bitcoin transactions that a reorg mined again',
  'Bitcoin transactions that a reorg made wait again',
  'Bitcoin transactions that the node forgot',
] as const;

export type Occurrence = (typeof OCCURRENCES)[number];

/** How often each came to pass. */
export class Tally extends Map<Occurrence, number> {
  add(what: Occurrence, count: number): void {
    this.set(what, (this.get(what) ?? 0) + count);
  }
}
