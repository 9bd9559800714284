import { type ReactNode, useState } from 'react';
import type { Payment, Refund, RefundStatus } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import type { Tone } from '../parts/tone.pure.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { useRefunds } from './payment.queries.js';

const WORDS: Record<RefundStatus, readonly [Tone, MessageKey]> = {
  AWAITING_ADDRESS: ['calm', 'refund.awaiting-address'],
  AWAITING_PAYMENT: ['warn', 'refund.awaiting-payment'],
  PROCESSING: ['calm', 'refund.processing'],
  COMPLETED: ['good', 'refund.completed'],
  CANCELLED: ['idle', 'refund.cancelled'],
  FAILED: ['bad', 'refund.failed'],
  EXPIRED: ['idle', 'refund.expired'],
};
const CANCELLABLE: readonly RefundStatus[] = ['AWAITING_ADDRESS', 'AWAITING_PAYMENT', 'FAILED'];

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
              <OneRefund key={refund.id} refund={refund} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function OneRefund({ refund }: { refund: Refund }): ReactNode {
  const { money, time } = useTexts();
  const [isPaying, setPaying] = useState(false);
  const cancel = useWrite('cancelRefund');
  const path = { paymentId: refund.paymentId, refundId: refund.id };
  const [tone, word] = WORDS[refund.status];
  return (
    <li>
      <strong className={parts['number']}>
        <bdi>{money(refund.payoutAmount)}</bdi>
      </strong>{' '}
      <Pill tone={tone}>
        <T k={word} />
      </Pill>
      <div className={parts['hint']}>
        {time(refund.createdAt)}
        {refund.address !== null && (
          <>
            {' '}
            · <code>{refund.address}</code>
          </>
        )}
      </div>
      <div className={parts['actions']}>
        {refund.status === 'AWAITING_ADDRESS' && <Copy text={refund.claimUrl} label="refund.copy-claim" />}
        {(refund.status === 'AWAITING_PAYMENT' || refund.status === 'FAILED') && (
          <Button kind="first" onPress={() => setPaying(true)}>
            <T k="refund.paid" />
          </Button>
        )}
        {CANCELLABLE.includes(refund.status) && (
          <Button kind="danger" isPending={cancel.isPending} onPress={() => cancel.mutate({ path })}>
            <T k="refund.cancel" />
          </Button>
        )}
      </div>
      {cancel.error && <Failure error={cancel.error} />}
      {isPaying && <PaidDialog refund={refund} onClose={() => setPaying(false)} />}
    </li>
  );
}

function PaidDialog({ refund, onClose }: { refund: Refund; onClose: () => void }): ReactNode {
  const complete = useWrite('completeRefund');
  const path = { paymentId: refund.paymentId, refundId: refund.id };
  return (
    <Dialog title="refund.paid" onClose={onClose}>
      <Form
        error={complete.error}
        onSubmit={(form) => {
          const txHash = form.get('txHash') as string;
          complete.mutate({ path, body: { txHash: txHash.trim() } }, { onSuccess: onClose });
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
