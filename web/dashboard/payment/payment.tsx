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
import { STATUS_WORDS } from '../payments/status.pure.js';
import { Screen } from '../shell/screen.js';
import { Deliveries } from './deliveries.js';
import { usePayment } from './payment.queries.js';
import { RefundDialog } from './refund-dialog.js';
import { Refunds } from './refunds.js';
import { Transfers } from './transfers.js';
import { WhyNotPaid } from './why.js';
import { isRefundable } from './why.pure.js';

export default function Payment(): ReactNode {
  const { paymentId = '' } = useParams();
  const { text } = useTexts();
  const query = usePayment(paymentId);
  if (query.error?.status === 404)
    return (
      <Screen title={text('payment.not-found')}>
        <p>
          <T k="payment.not-found-text" />
        </p>
        <Link to="/payments">
          <T k="nav.payments" />
        </Link>
      </Screen>
    );
  return (
    <Loaded query={query} rows={5}>
      {({ data }) => <Details key={data.id} payment={data} />}
    </Loaded>
  );
}

function Details({ payment }: { payment: PaymentData }): ReactNode {
  const [isRefunding, setRefunding] = useState(false);
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
        <WhyNotPaid payment={payment} onRefund={() => setRefunding(true)} />
        <MoneyOf payment={payment} />
        <Transfers payment={payment} />
        <Refunds payment={payment} />
        {isRefundable(payment) && (
          <div>
            <Button onPress={() => setRefunding(true)}>
              <T k="action.refund" />
            </Button>
          </div>
        )}
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
      {isRefunding && <RefundDialog payment={payment} onClose={() => setRefunding(false)} />}
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

function MoneyOf({ payment }: { payment: PaymentData }): ReactNode {
  const { money, time } = useTexts();
  const amounts = [
    ['money.price', payment.amount],
    ['money.received', payment.receivedAmount],
    ['money.missing', payment.underpaidAmount],
    ['money.over', payment.overpaidAmount],
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
                <dd className={parts['number']}>
                  <bdi>{money(amount)}</bdi>
                </dd>
              </div>
            ),
        )}
        <div>
          <dt>
            <T k="payments.created" />
          </dt>
          <dd>{time(payment.date)}</dd>
        </div>
        <div>
          <dt>
            <T k="payment.expires" />
          </dt>
          <dd>{time(payment.expiresAt)}</dd>
        </div>
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
        <a href={payment.checkoutUrl} target="_blank" rel="noopener noreferrer">
          <T k="payment.open-checkout" />
        </a>
        {payment.receiptUrl !== null && (
          <a href={payment.receiptUrl} target="_blank" rel="noopener noreferrer">
            <T k="payment.open-receipt" />
          </a>
        )}
      </div>
    </section>
  );
}
