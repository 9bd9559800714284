import { type ReactNode, useState } from 'react';
import type { AttentionItem } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { useMay } from '../people/allowed.js';
import { Asked } from '../payment/asked.js';
import { receivedOfPrice, refundWhat } from '../payment/figures.js';
import { Keep } from '../payment/keep.js';
import { useRefunds } from '../payment/payment.queries.js';
import { RefundDialog } from '../payment/refund-dialog.js';
import { PaidDialog } from '../refunds/paid-dialog.js';
import { AcceptTransfer } from './accept-transfer.js';
import { OPERATIONS, type Remedy, remediesOf } from './attention.pure.js';

/** What can be done about it, right here; the first one is the usual one. */
export function Remedies({ item }: { item: AttentionItem }): ReactNode {
  const may = useMay();
  const remedies = remediesOf(item.actions).filter(({ kind }) => may(OPERATIONS[kind]));
  if (remedies.length === 0) return null;
  return (
    <div className={parts['actions']}>
      {remedies.map((remedy, index) => (
        <OneRemedy key={remedy.kind} remedy={remedy} isFirst={index === 0} item={item} />
      ))}
    </div>
  );
}

interface RemedyProps {
  remedy: Remedy;
  isFirst: boolean;
  item: AttentionItem;
}

function OneRemedy({ remedy, isFirst, item }: RemedyProps): ReactNode {
  // Accepting it says only that the shop knows.
  const isUntold = item.kind === 'shop_not_told';
  const { text } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const resume = useWrite('resumeWebhooks');
  const redeliver = useWrite('redeliverWebhook');
  const accept = useWrite('acceptPayment');
  const kind = isFirst ? 'first' : 'plain';
  const close = () => setOpen(false);
  switch (remedy.kind) {
    case 'resume':
      return (
        <>
          <Button
            kind={kind}
            isPending={resume.isPending}
            onPress={() => resume.mutate({ path: { id: remedy.applicationId } })}
          >
            <T k="webhooks.resume" />
          </Button>
          {resume.error && <Failure error={resume.error} />}
        </>
      );
    case 'redeliver': {
      const path = { id: remedy.applicationId, deliveryId: remedy.deliveryId };
      return (
        <>
          <Button kind={kind} isPending={redeliver.isPending} onPress={() => redeliver.mutate({ path })}>
            <T k="action.resend" />
          </Button>
          {redeliver.isSuccess && (
            <span role="status">
              <T k="delivery.resent" />
            </span>
          )}
          {redeliver.error && <Failure error={redeliver.error} />}
        </>
      );
    }
    case 'accept':
      return (
        <Asked
          paymentId={remedy.paymentId}
          figuresOf={receivedOfPrice}
          button={isUntold ? 'action.acknowledge' : 'action.accept'}
          question={isUntold ? 'action.acknowledge-question' : 'action.accept-question'}
          kind={kind}
          write={accept}
          onConfirm={(done) => accept.mutate({ path: { paymentId: remedy.paymentId }, body: {} }, done)}
        />
      );
    case 'accept-transfer':
      return <AcceptTransfer paymentId={remedy.paymentId} kind={kind} />;
    case 'refund':
      return (
        <>
          <Button kind={kind} onPress={() => setOpen(true)}>
            <T k="action.refund" />
          </Button>
          {isOpen && <RefundDialog paymentId={remedy.paymentId} onClose={close} />}
        </>
      );
    case 'keep': {
      const { excess = null, coins = [] } = item.sums ?? {};
      const { tokens } = item;
      const units = tokens.map(
        ({ amount, contract }) => `${text('attention.units', { amount })} · ${contract}`,
      );
      const amounts = [excess, ...coins.map((coin) => coin.excess)].filter((amount) => amount !== null);
      return (
        <Keep
          paymentId={remedy.paymentId}
          amounts={amounts}
          units={units}
          excess={item.kind === 'overpaid' ? excess : null}
        />
      );
    }
    case 'record-transaction':
      return (
        <>
          <Button kind={kind} onPress={() => setOpen(true)}>
            <T k="refund.paid" />
          </Button>
          {isOpen && <PaidDialog paymentId={remedy.paymentId} refundId={remedy.refundId} onClose={close} />}
        </>
      );
    case 'cancel-refund':
      return <CancelRefund paymentId={remedy.paymentId} refundId={remedy.refundId} />;
  }
}

function CancelRefund({ paymentId, refundId }: { paymentId: string; refundId: string }): ReactNode {
  const cancel = useWrite('cancelRefund');
  const refund = useRefunds(paymentId).data?.data.find(({ id }) => id === refundId);
  return (
    <Asked
      paymentId={paymentId}
      figuresOf={(_payment, { money }) => (refund ? refundWhat(refund, money) : null)}
      button="refund.cancel"
      question="refund.cancel-question"
      kind="danger"
      write={cancel}
      onConfirm={(done) => cancel.mutate({ path: { paymentId, refundId } }, done)}
    />
  );
}
