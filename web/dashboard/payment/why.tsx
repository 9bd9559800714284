import type { ReactNode } from 'react';
import type { Payment } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { isSigned } from '../parts/signed-link.pure.js';
import { Failure } from '../parts/states.js';
import { useNetworks } from '../payments/payments.queries.js';
import { useMay } from '../people/allowed.js';
import { Asked } from './asked.js';
import { priceOf, receivedOfPrice, transferOf } from './figures.js';
import { useDeliveries } from './payment.queries.js';
import type { Refundable } from './refund-amounts.pure.js';
import { OPERATIONS, type PaymentAction, whyNotPaid } from './why.pure.js';

interface WhyProps {
  payment: Payment;
  /** What is in no refund; null: not known yet. */
  rest: Refundable | null;
  onRefund: () => void;
}

/** The reason in one sentence, and the one right thing to do first. */
export function WhyNotPaid({ payment, rest, onRefund }: WhyProps): ReactNode {
  const { locale } = useTexts();
  const { nameOf } = useNetworks();
  const why = whyNotPaid(payment, rest, { locale, networkOf: nameOf });
  const may = useMay();
  if (!why) return null;
  const actions = why.actions.filter(({ kind }) => {
    const operation = OPERATIONS[kind];
    return operation === null ? isSigned(payment.checkoutUrl) : may(operation);
  });
  return (
    <section className={parts['note']} data-tone={why.tone} aria-labelledby="why">
      <h2 id="why">
        <T k="why.title" />
      </h2>
      <p>
        <T k={why.text} values={why.values} />
      </p>
      {actions.length > 0 && (
        <div className={parts['actions']}>
          {actions.map((action, index) => (
            <Action
              key={action.kind}
              action={action}
              isFirst={index === 0}
              payment={payment}
              onRefund={onRefund}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface ActionProps extends Pick<WhyProps, 'payment' | 'onRefund'> {
  action: PaymentAction;
  isFirst: boolean;
}

function Action({ action, isFirst, payment, onRefund }: ActionProps): ReactNode {
  const { id: paymentId } = payment;
  const cancel = useWrite('cancelPayment');
  const accept = useWrite('acceptPayment');
  const kind = isFirst ? 'first' : 'plain';
  switch (action.kind) {
    case 'copy-link':
      return <Copy text={payment.checkoutUrl} label="action.copy-link" />;
    case 'refund':
      return (
        <Button kind={kind} onPress={onRefund}>
          <T k="action.refund" />
        </Button>
      );
    case 'resend':
      return <Resend payment={payment} />;
    case 'cancel':
      return (
        <Asked
          paymentId={paymentId}
          figuresOf={priceOf}
          button="action.cancel"
          question="action.cancel-question"
          kind="danger"
          write={cancel}
          onConfirm={(done) => cancel.mutate({ path: { paymentId }, body: {} }, done)}
        />
      );
    case 'accept':
      return (
        <Asked
          paymentId={paymentId}
          figuresOf={receivedOfPrice}
          button="action.accept"
          question="action.accept-question"
          kind={kind}
          write={accept}
          onConfirm={(done) => accept.mutate({ path: { paymentId }, body: {} }, done)}
        />
      );
    case 'accept-transfer':
      return (
        <Asked
          paymentId={paymentId}
          figuresOf={transferOf(action.transferId)}
          button="action.accept-transfer"
          question="action.accept-transfer-question"
          kind={kind}
          write={accept}
          onConfirm={(done) =>
            accept.mutate({ path: { paymentId }, body: { transferId: action.transferId } }, done)
          }
        />
      );
  }
}

/** Sends the event that the shop has not acknowledged once more. */
function Resend({ payment }: { payment: Payment }): ReactNode {
  const deliveries = useDeliveries(payment.id);
  const redeliver = useWrite('redeliverWebhook');
  const delivery = deliveries.data?.data.find(({ event }) => event === 'payment.received');
  if (!delivery) return null;
  const path = { id: delivery.paymentApplicationId, deliveryId: delivery.id };
  return (
    <>
      <Button kind="first" isPending={redeliver.isPending} onPress={() => redeliver.mutate({ path })}>
        <T k="action.resend" />
      </Button>
      {redeliver.error && <Failure error={redeliver.error} />}
    </>
  );
}
