import type { FieldProblems } from '../../platform/kernel/errors/field-problems.js';

/**
 * The two fields that can carry the amount (specification/payments.md#create); absent where they are invalid and
 * reported in the problems.
 */
interface Amounts {
  amount?: bigint | null;
  amountAtomic?: bigint | null;
}

/** The amount of a new payment, and the field that has it. */
export interface RequestedAmount {
  field: 'amount' | 'amountAtomic';
  units: bigint;
}

/** Exactly one of the two fields must be present; null: it is not, and the problems say why. */
export function readRequestedAmount(given: Amounts, problems: FieldProblems): RequestedAmount | null {
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
