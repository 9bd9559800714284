import type { ReactNode } from 'react';
import type { Payment, Transaction } from '../api/operations.js';
import { shortened } from '../i18n/format.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import type { Tone } from '../parts/tone.pure.js';
import { useNetworks } from '../payments/payments.queries.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

const WORDS: Record<Transaction['status'], readonly [Tone, MessageKey]> = {
  PENDING: ['calm', 'transfer.pending'],
  CONFIRMED: ['good', 'transfer.confirmed'],
  REPLACED: ['idle', 'transfer.replaced'],
  ORPHANED: ['warn', 'transfer.orphaned'],
};

/** Everything that was seen on the chains for this payment. */
export function Transfers({ payment }: { payment: Payment }): ReactNode {
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.transfers" />
      </h2>
      {payment.transactions.length === 0 ? (
        <p className={parts['hint']}>
          <T k="transfer.none" />
        </p>
      ) : (
        <ul className={parts['stack']}>
          {payment.transactions.map((transfer) => (
            <Transfer key={transfer.id} transfer={transfer} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Transfer({ transfer }: { transfer: Transaction }): ReactNode {
  const { money } = useTexts();
  const { nameOf } = useNetworks();
  const [tone, word] = WORDS[transfer.status];
  const { confirmations: seen, confirmationsRequired: needed, explorerUrl } = transfer;
  const hash = <code title={transfer.txHash}>{shortened(transfer.txHash)}</code>;
  return (
    <li>
      <strong>
        <Figures>{money(transfer.amount)}</Figures>
      </strong>{' '}
      <Pill tone={transfer.matched ? tone : 'warn'}>
        <T k={transfer.matched ? word : 'transfer.unmatched'} />
      </Pill>
      <div className={parts['hint']}>
        <bdi>{nameOf(transfer.blockchain)}</bdi> ·{' '}
        {explorerUrl === null ? (
          hash
        ) : (
          <a href={explorerUrl} target="_blank" rel="noopener noreferrer">
            {hash}
          </a>
        )}{' '}
        · <T k="transfer.blocks" values={{ seen: Math.min(seen, needed), needed }} /> ·{' '}
        <When at={transfer.seenAt} />
      </div>
    </li>
  );
}
