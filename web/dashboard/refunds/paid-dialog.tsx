import type { ReactNode } from 'react';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { refundWhat } from '../payment/figures.js';
import { useRefunds } from '../payment/payment.queries.js';
import { useNetworks } from '../payments/payments.queries.js';
import { Figures } from '../parts/figures.js';

interface PaidProps {
  paymentId: string;
  refundId: string;
  onClose: () => void;
}

/** Records the transaction that has paid a refund. The gateway checks it on the chain. */
export function PaidDialog({ paymentId, refundId, onClose }: PaidProps): ReactNode {
  const { money } = useTexts();
  const complete = useWrite('completeRefund');
  const refund = useRefunds(paymentId).data?.data.find(({ id }) => id === refundId);
  const { nameOf } = useNetworks();
  const what = refund ? `${refundWhat(refund, money)} → ${refund.address ?? ''}` : null;
  return (
    <Dialog title="refund.paid" onClose={onClose}>
      <Form
        error={complete.error}
        onSubmit={(form) => {
          const txHash = form.get('txHash') as string;
          complete.mutate(
            { path: { paymentId, refundId }, body: { txHash: txHash.trim() } },
            { onSuccess: onClose },
          );
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" kind="first" isPending={complete.isPending}>
              <Act act="refund.paid" what={refund ? refundWhat(refund, money) : null} />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        }
      >
        <p>
          <strong>
            <bdi>{what !== null && <Figures>{what}</Figures>}</bdi>
          </strong>
        </p>
        {refund && (
          <p className={parts['hint']}>
            <bdi>{refund.reference}</bdi> · <bdi>{nameOf(refund.blockchain)}</bdi>
          </p>
        )}
        <Field name="txHash" label="refund.transaction" hint="refund.transaction-hint" isRequired />
      </Form>
    </Dialog>
  );
}
