import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Amount, Payment } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Allowed } from '../people/allowed.js';
import { Keep } from './keep.js';
import { useOverviewOf } from './payment.queries.js';
import { inCoin } from './refund-amounts.pure.js';

interface OwedProps {
  payment: Payment;
  onRefund: () => void;
}

/** What the customer has paid too much, and its two ends. */
export function Owed({ payment, onRefund }: OwedProps): ReactNode {
  const row = useOverviewOf(payment.id);
  const { text, money } = useTexts();
  if (!row) return null;
  const { owedAmount } = row;
  const isTwice = row.attention.includes('paid_twice');
  const hasToken = row.attention.includes('unlisted_token');
  if (owedAmount === null && !isTwice && !hasToken) return null;
  const amount = owedAmount ?? payment.receivedAmount;
  const coin = inCoin(payment, amount.atomic);
  const amounts: Amount[] = [amount, ...(coin ? [coin] : [])];
  return (
    <section className={parts['note']} data-tone="warn" aria-label={text('nav.attention')}>
      {owedAmount !== null && (
        <p>
          <T k="owed.text" values={{ amount: [...new Set(amounts.map(money))].join(' = ') }} />
        </p>
      )}
      {isTwice && (
        <p>
          <T k="owed.twice" />{' '}
          <Link to={`/payments?search=${encodeURIComponent(payment.reference)}`}>
            <T k="owed.others" />
          </Link>
        </p>
      )}
      {hasToken && (
        <p>
          <T k="attention.unlisted-text" />{' '}
          <Link to="/attention?kind=unlisted_token">
            <T k="attention.unlisted_token" />
          </Link>
        </p>
      )}
      {(owedAmount !== null || isTwice) && (
        <div className={parts['actions']}>
          <Allowed to="createRefund">
            <Button kind="first" onPress={onRefund}>
              <T k="action.refund" />
            </Button>
          </Allowed>
          <Allowed to="keepPayment">
            <Keep paymentId={payment.id} amounts={amounts} excess={owedAmount} />
          </Allowed>
        </div>
      )}
    </section>
  );
}
