import type { ValueTransformer } from 'typeorm';

/** numeric(78,0), an amount in the smallest unit, as a bigint; the driver returns text. */
export const bigintColumn: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : BigInt(text)),
  to: (value: unknown) => value,
};

/** A bigint column that stays far below 2^53 (block heights, counters) as a number; the driver returns text. */
export const integerColumn: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : Number(text)),
  to: (value: unknown) => value,
};

/** Column options of an amount: `@Column(amountColumn('received_amount'))`. */
export const amountColumn = (name: string, options: { nullable?: boolean; select?: boolean } = {}) =>
  ({ name, type: 'numeric', precision: 78, scale: 0, transformer: bigintColumn, ...options }) as const;
