import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Payment } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { isSigned } from '../parts/signed-link.pure.js';
import { useApplicationOf, useOverviewOf } from './payment.queries.js';
import { missingWord } from '../payments/status.pure.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

export function MoneyOf({ payment }: { payment: Payment }): ReactNode {
  const { money } = useTexts();
  const application = useApplicationOf(payment.id);
  const row = useOverviewOf(payment.id);
  const amounts = [
    ['money.price', payment.amount],
    ['money.asked', row?.askedAmount],
    ['money.received', payment.receivedAmount],
    [missingWord(payment.status), payment.underpaidAmount],
    // Of an excess that the merchant has decided about: what is still owed.
    ['money.over', row?.keptAmount ? row.owedAmount : payment.overpaidAmount],
    ['money.kept', row?.keptAmount],
    ['money.refunded', payment.refundedAmount],
  ] as const;
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.money" />
      </h2>
      <dl className={parts['facts']}>
        {amounts.map(
          ([name, amount]) =>
            amount && (
              <div key={name}>
                <dt>
                  <T k={name} />
                </dt>
                <dd>
                  <Figures>{money(amount)}</Figures>
                </dd>
              </div>
            ),
        )}
        <div>
          <dt>
            <T k="payments.created" />
          </dt>
          <dd>
            <When at={payment.date} />
          </dd>
        </div>
        <div>
          <dt>
            <T k="payment.expires" />
          </dt>
          <dd>
            <When at={payment.expiresAt} />
          </dd>
        </div>
        {application && (
          <div>
            <dt>
              <T k="payments.application" />
            </dt>
            <dd>
              <Link to={`/applications/${application.id}`}>
                <bdi>{application.name}</bdi>
              </Link>
            </dd>
          </div>
        )}
        <div>
          <dt>
            <T k="payment.label" />
          </dt>
          <dd>
            <bdi>{payment.referenceLabel}</bdi>
          </dd>
        </div>
        <div>
          <dt>
            <T k="payment.id" />
          </dt>
          <dd>
            <code>{payment.id}</code>
          </dd>
        </div>
      </dl>
      <div className={parts['actions']}>
        {isSigned(payment.checkoutUrl) && (
          <a href={payment.checkoutUrl} target="_blank" rel="noopener noreferrer">
            <T k="payment.open-checkout" />
          </a>
        )}
        {payment.receiptUrl !== null && (
          <a href={payment.receiptUrl} target="_blank" rel="noopener noreferrer">
            <T k="payment.open-receipt" />
          </a>
        )}
      </div>
    </section>
  );
}
