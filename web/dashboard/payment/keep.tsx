import type { ReactNode } from 'react';
import type { Amount } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { useTexts } from '../i18n/text.js';
import { Asked } from './asked.js';

interface KeepProps {
  paymentId: string;
  /** In the currency of the order and in the coin, as it is shown beside. */
  amounts: readonly Amount[];
  /** Of unlisted tokens, which have no amount that can be believed. */
  units?: readonly string[];
  /** The excess alone; null: all of a second payment of the order. */
  excess: Amount | null;
}

/** The other end of what is too much: the shop keeps it. */
export function Keep({ paymentId, amounts, units = [], excess }: KeepProps): ReactNode {
  const { money } = useTexts();
  const keep = useWrite('keepPayment');
  const figures = units.length > 0 ? units.join(', ') : [...new Set(amounts.map(money))].join(' = ');
  const body = excess === null ? {} : { amount: BigInt(excess.atomic) };
  return (
    <Asked
      paymentId={paymentId}
      figuresOf={() => figures}
      button="action.keep"
      question={units.length > 0 ? 'action.keep-token-question' : 'action.keep-question'}
      kind="plain"
      write={keep}
      onConfirm={(done) => keep.mutate({ path: { paymentId }, body }, done)}
    />
  );
}
