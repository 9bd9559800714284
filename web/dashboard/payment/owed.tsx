import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Amount, Payment } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Allowed } from '../people/allowed.js';
import { Keep } from './keep.js';
import { PaidLate } from './paid-late.js';
import { useOverviewOf, useTimeline } from './payment.queries.js';
import { inCoin } from './refund-amounts.pure.js';
import { ACTORS } from './timeline.pure.js';

interface OwedProps {
  payment: Payment;
  /** Confirmed and in no refund; undefined: not known yet. */
  left: bigint | undefined;
  onRefund: () => void;
}

/** What the customer has paid too much, twice or after the end, and its two ends; or that the shop keeps it. */
export function Owed({ payment, left, onRefund }: OwedProps): ReactNode {
  const row = useOverviewOf(payment.id);
  const { text, money } = useTexts();
  if (!row) return null;
  const { owedAmount, paidLateAt } = row;
  const isTwice = row.attention.includes('paid_twice');
  const isLate = row.attention.includes('paid_late');
  const isAfterEnd = row.attention.includes('funds_after_end');
  const hasToken = row.attention.includes('unlisted_token');
  const isAll = isTwice || isLate || isAfterEnd;
  if (owedAmount === null && !isAll && !hasToken) return <Kept paymentId={payment.id} />;
  const all = left === undefined ? payment.receivedAmount : { ...payment.receivedAmount, atomic: `${left}` };
  const amount = isAll || owedAmount === null ? all : owedAmount;
  const amountsOf = (sum: Amount): Amount[] => {
    const coin = inCoin(payment, sum.atomic);
    return [sum, ...(coin ? [coin] : [])];
  };
  const inBoth = (sum: Amount) => [...new Set(amountsOf(sum).map(money))].join(' = ');
  return (
    <section className={parts['note']} data-tone="warn" aria-label={text('nav.attention')}>
      {owedAmount !== null && (
        <p>
          <T k="owed.text" values={{ amount: inBoth(owedAmount) }} />
        </p>
      )}
      {isLate && paidLateAt !== null && (
        <p>
          <PaidLate ordered={row.date} ended={row.expiresAt} paid={paidLateAt} />
        </p>
      )}
      {isAfterEnd && (
        <p>
          <T k="attention.funds_after_end" />
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
      {(owedAmount !== null || isAll) && left !== 0n && (
        <div className={parts['actions']}>
          {!isAfterEnd && (
            <Allowed to="createRefund">
              <Button kind="first" onPress={onRefund}>
                <T k="action.refund" />
              </Button>
            </Allowed>
          )}
          <Allowed to="keepPayment">
            <Keep paymentId={payment.id} amounts={amountsOf(amount)} excess={isAll ? null : owedAmount} />
          </Allowed>
        </div>
      )}
    </section>
  );
}

/** What the merchant has decided last; nothing of before waits for anybody. */
function Kept({ paymentId }: { paymentId: string }): ReactNode {
  const { text, time } = useTexts();
  const act = useTimeline(paymentId).data?.data.findLast(({ code }) => code === 'payment.kept');
  if (!act) return null;
  const actor = act.actor === null ? undefined : ACTORS[act.actor];
  return (
    <section className={parts['note']} data-tone="good" aria-label={text('money.kept')}>
      <p>
        <T k="owed.kept" values={{ time: time(act.at) }} />
      </p>
      {actor && (
        <p className={parts['hint']}>
          <T k={actor} />
        </p>
      )}
    </section>
  );
}
