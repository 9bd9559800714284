import type { ReactNode } from 'react';
import { Field } from '../parts/field.js';
import { readAmount } from '../payments/read-amount.pure.js';

/** What a byte costs, as the API takes it. What is no number goes there as it is, and the answer says at the field what it must be. */
export function feeRateOf(written: string, locale: string): { feeRate?: number } {
  if (written.trim() === '') return {};
  const read = readAmount(written, { decimals: 0, locale });
  return { feeRate: read.kind === 'amount' ? Number(read.atomic) : (written as unknown as number) };
}

export function FeeRate({
  value,
  onChange,
}: {
  value: string;
  onChange: (written: string) => void;
}): ReactNode {
  return (
    <Field
      name="feeRate"
      label="collection.fee-rate"
      hint="collection.fee-rate-hint"
      value={value}
      onChange={onChange}
      inputMode="numeric"
      autoComplete="off"
      dir="ltr"
    />
  );
}
