import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { stringifyExact } from '../../../sdk/src/exact-json.js';
import type { Payment as PaymentData } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Elsewhere } from '../people/elsewhere.js';
import { Allowed } from '../people/allowed.js';
import { STATUS_WORDS } from '../payments/status.pure.js';
import { Screen } from '../shell/screen.js';
import { Deliveries } from './deliveries.js';
import { MoneyOf } from './money-of.js';
import { usePayment } from './payment.queries.js';
import styles from './payment.module.css';
import { Owed } from './owed.js';
import { RefundDialog } from './refund-dialog.js';
import { Refunds } from './refunds.js';
import { Stopped } from './stopped.js';
import { Timeline } from './timeline.js';
import { Transfers } from './transfers.js';
import { Where } from './where.js';
import { WhyNotPaid } from './why.js';
import { useRefunds } from './payment.queries.js';
import { refundableOf } from './refund-amounts.pure.js';
import { isRefundable } from './why.pure.js';

export default function Payment(): ReactNode {
  const { paymentId = '' } = useParams();
  // Nothing of the payment before is shown for the next one.
  return <OnePayment key={paymentId} paymentId={paymentId} />;
}

function OnePayment({ paymentId }: { paymentId: string }): ReactNode {
  const { text } = useTexts();
  const query = usePayment(paymentId);
  if (query.error?.status === 404)
    return (
      <Screen title={text('payment.not-found')}>
        <p>
          <T k="payment.not-found-text" />
        </p>
        <Elsewhere />
        <Link to="/payments">
          <T k="nav.payments" />
        </Link>
      </Screen>
    );
  // Nothing that was known before is shown as if it were still true.
  if (query.error?.code === 'payment_integrity')
    return (
      <Screen title={text('attention.integrity')}>
        <div role="alert" className={parts['note']} data-tone="bad">
          <Stopped paymentId={paymentId} />
        </div>
      </Screen>
    );
  return (
    <Loaded query={query} rows={5}>
      {({ data }) => <Details payment={data} />}
    </Loaded>
  );
}

function Details({ payment }: { payment: PaymentData }): ReactNode {
  const [isRefunding, setRefunding] = useState(false);
  const refunds = useRefunds(payment.id).data?.data;
  const rest = refunds && refundableOf(payment, refunds);
  const isAnyLeft = rest !== undefined && (rest.left > 0n || rest.unmatched.length > 0);
  const { tone, word } = STATUS_WORDS[payment.status];
  return (
    <Screen
      title={payment.reference}
      aside={
        <Pill tone={tone}>
          <T k={word} />
        </Pill>
      }
    >
      <div className={parts['stack']}>
        <Owed payment={payment} left={rest?.left} onRefund={() => setRefunding(true)} />
        <WhyNotPaid payment={payment} rest={rest ?? null} onRefund={() => setRefunding(true)} />
        <div className={styles['columns']}>
          <div>
            <Timeline payment={payment} />
            <Transfers payment={payment} />
            <Refunds payment={payment} />
            {isAnyLeft && isRefundable(payment) && (
              <Allowed to="createRefund">
                <div>
                  <Button onPress={() => setRefunding(true)}>
                    <T k="action.refund" />
                  </Button>
                </div>
              </Allowed>
            )}
          </div>
          <div>
            <MoneyOf payment={payment} />
            <Where payment={payment} />
          </div>
        </div>
        <Deliveries payment={payment} />
        <details className={parts['card']}>
          <summary>
            <T k="payment.raw" />
          </summary>
          <div className={parts['actions']}>
            <Copy text={stringifyExact(payment)} />
          </div>
          <pre dir="ltr">{indented(payment)}</pre>
        </details>
      </div>
      {isRefunding && <RefundDialog paymentId={payment.id} onClose={() => setRefunding(false)} />}
    </Screen>
  );
}

/** JSON.stringify cannot print the exact amounts of coins; they come as text here. */
function indented(payment: PaymentData): string {
  return JSON.stringify(
    payment,
    (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  );
}
