import type { ReactNode } from 'react';
import type { Payment } from '../api/operations.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { OneRefund } from '../refunds/one-refund.js';
import { useRefunds } from './payment.queries.js';

export function Refunds({ payment }: { payment: Payment }): ReactNode {
  const refunds = useRefunds(payment.id);
  if (refunds.data?.data.length === 0) return null;
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.refunds" />
      </h2>
      <Loaded query={refunds} rows={1}>
        {({ data }) => (
          <ul className={parts['stack']}>
            {data.map((refund) => (
              <li key={refund.id}>
                <OneRefund refund={refund} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
