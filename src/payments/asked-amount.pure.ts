import type { FieldProblems } from '../platform/errors/field-problems.js';

/**
 * The two fields of the body that mean the same (specification/payments.md#create); absent where they are wrong and
 * named in the problems.
 */
interface Amounts {
  amount?: bigint | null;
  amountAtomic?: bigint | null;
}

/** What a payment asks for, and which field says so. */
export interface AskedAmount {
  field: 'amount' | 'amountAtomic';
  units: bigint;
}

/** Exactly one of the two fields must be there. Null: what is wrong is in `problems`. */
export function readAskedAmount(given: Amounts, problems: FieldProblems): AskedAmount | null {
  const fields = (['amount', 'amountAtomic'] as const).map((field) => ({
    field,
    units: given[field] ?? null,
  }));
  const sent = fields.filter(({ field, units }) => units !== null || problems.has(field));
  const [only, other] = sent;
  if (!only) problems.add('amount', 'The amount field is required when amountAtomic is not present.');
  if (other) problems.add('amountAtomic', 'The amountAtomic field must not be sent together with amount.');
  return only && !other && only.units !== null ? { field: only.field, units: only.units } : null;
}
