import type { ReactNode } from 'react';
import { useWrite } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';

interface PaidProps {
  paymentId: string;
  refundId: string;
  onClose: () => void;
}

/** Records the transaction that has paid a refund. The gateway checks it on the chain. */
export function PaidDialog({ paymentId, refundId, onClose }: PaidProps): ReactNode {
  const complete = useWrite('completeRefund');
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
              <T k="refund.paid" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        }
      >
        <Field name="txHash" label="refund.transaction" hint="refund.transaction-hint" isRequired />
      </Form>
    </Dialog>
  );
}
