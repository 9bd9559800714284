import type { ReactNode } from 'react';
import type { Payment } from '../api/operations.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { DeliveryTable } from '../webhooks/delivery-table.js';
import { useDeliveries } from './payment.queries.js';

/** What the shop was sent, and what it answered. */
export function Deliveries({ payment }: { payment: Payment }): ReactNode {
  const deliveries = useDeliveries(payment.id);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.deliveries" />
      </h2>
      <Loaded query={deliveries} rows={1}>
        {({ data }) => (
          <DeliveryTable applicationId={data[0]?.paymentApplicationId ?? ''} deliveries={data} />
        )}
      </Loaded>
    </section>
  );
}
