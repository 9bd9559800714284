import type { ReactNode } from 'react';
import type { Payment } from '../api/operations.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { DeliveryTable } from '../webhooks/delivery-table.js';
import { useApplicationOf, useDeliveries } from './payment.queries.js';

/** What the shop was told, and what it answered. */
export function Deliveries({ payment }: { payment: Payment }): ReactNode {
  const application = useApplicationOf(payment.id);
  const deliveries = useDeliveries(application.data ?? null, payment.id);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.deliveries" />
      </h2>
      {application.data === null ? null : (
        <Loaded query={deliveries} rows={1}>
          {({ data }) => <DeliveryTable applicationId={application.data ?? ''} deliveries={data} />}
        </Loaded>
      )}
    </section>
  );
}
