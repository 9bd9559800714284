import { type ReactNode, useState } from 'react';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { useTexts } from '../i18n/text.js';
import { Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { readAmount } from './read-amount.pure.js';
import { Figures } from '../parts/figures.js';

interface PricedIn {
  code: string;
  decimals: number;
  /** Smallest units; more is refused. */
  most?: bigint;
}

interface AmountProps {
  label: MessageKey;
  reading: Reading;
  /** The form was submitted with something that is no amount, and says so at the field. */
  isRefused: boolean;
}

/** What is written in an amount field, and what it means. */
export interface Reading {
  written: string;
  setWritten: (written: string) => void;
  /** Null: nothing is written yet, or it is refused. */
  atomic: string | null;
  /** In words, also why it is refused; empty: nothing is written yet. */
  understood: string;
  /** For a form that was submitted with something that is no amount. */
  refusal: GatewayError;
  example: string;
}

/** Reads an amount as the reader's language writes it, and says what was understood. */
export function useAmount({ code, decimals, most }: PricedIn): Reading {
  const { text, money, locale } = useTexts();
  const [written, setWritten] = useState('');
  const formatted = (atomic: string) => money({ atomic, decimals, currency: { code } });
  const example = formatted(`125050${'0'.repeat(decimals)}`.slice(0, 4 + decimals));
  const read = readAmount(written, { decimals, locale });
  const units = read.kind === 'amount' ? BigInt(read.atomic) : 0n;
  const isTooMuch = most !== undefined && units > most;
  const describe = (): string => {
    if (isTooMuch) return text('refund.at-most', { amount: formatted(String(most)) });
    if (read.kind === 'ambiguous') {
      const [one, other] = read.atomics;
      return text('create.ambiguous', { one: formatted(one), other: formatted(other) });
    }
    // Nothing is neither asked for nor given back.
    return units > 0n
      ? text('create.understood', { amount: formatted(String(units)) })
      : text('create.amount-wrong', { example, decimals });
  };
  return {
    written,
    setWritten,
    atomic: units > 0n && !isTooMuch ? String(units) : null,
    understood: written.trim() === '' ? '' : describe(),
    refusal: new GatewayError('validation_failed', '', { errors: { amount: [describe()] } }),
    example,
  };
}

/** The result stands below the field while somebody writes. */
export function AmountField({ label, reading, isRefused }: AmountProps): ReactNode {
  const { text } = useTexts();
  const { written, setWritten, atomic, understood, example } = reading;
  const isSaid = isRefused && atomic === null;
  return (
    <>
      <Field
        name="amount"
        label={label}
        value={written}
        onChange={setWritten}
        inputMode="decimal"
        autoComplete="off"
        isRequired
        autoFocus
      />
      <p role="status" className={parts['hint']}>
        <Figures>{(!isSaid && understood) || text('create.amount-hint', { example })}</Figures>
      </p>
    </>
  );
}
