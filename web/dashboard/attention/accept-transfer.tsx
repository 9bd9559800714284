import { type ReactNode, useState } from 'react';
import type { Payment, Transaction } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';
import { transferOf } from '../payment/figures.js';
import { usePayment, useRefunds } from '../payment/payment.queries.js';
import { refundableOf } from '../payment/refund-amounts.pure.js';
import { useNetworks } from '../payments/payments.queries.js';
import { Figures } from '../parts/figures.js';

interface TransferProps {
  paymentId: string;
  kind: 'first' | 'plain';
}

/** Makes money count that came on another network or in another coin. What came is read when it is asked for. */
export function AcceptTransfer({ paymentId, kind }: TransferProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const payment = usePayment(paymentId, { isEnabled: isOpen });
  const refunds = useRefunds(paymentId, { isEnabled: isOpen });
  const close = () => setOpen(false);
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        <T k="action.accept-transfer" />
      </Button>
      {isOpen && (
        <Dialog title="action.accept-transfer" onClose={close}>
          <p>
            <T k="action.accept-transfer-question" />
          </p>
          <Loaded query={payment} rows={1}>
            {({ data }) => (
              <Loaded query={refunds} rows={1}>
                {(before) => (
                  <ul className={parts['stack']}>
                    {refundableOf(data, before.data).acceptable.map((transfer) => (
                      <Transfer key={transfer.id} payment={data} transfer={transfer} onDone={close} />
                    ))}
                  </ul>
                )}
              </Loaded>
            )}
          </Loaded>
          <div className={parts['actions']}>
            <Button onPress={close}>
              <T k="dialog.back" />
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface OneProps {
  payment: Payment;
  transfer: Transaction;
  onDone: () => void;
}

function Transfer({ payment, transfer, onDone }: OneProps): ReactNode {
  const texts = useTexts();
  const { nameOf } = useNetworks();
  const accept = useWrite('acceptPayment');
  const request = { path: { paymentId: payment.id }, body: { transferId: transfer.id } };
  const what = `${transferOf(transfer.id)(payment, texts)} · ${nameOf(transfer.blockchain)} · ${payment.reference}`;
  return (
    <li>
      <p>
        <strong>
          <bdi>
            <Figures>{what}</Figures>
          </bdi>
        </strong>
      </p>
      <Button
        kind="first"
        isPending={accept.isPending}
        onPress={() => accept.mutate(request, { onSuccess: onDone })}
      >
        <Act act="action.accept-transfer" what={what} />
      </Button>
      {accept.error && <Failure error={accept.error} />}
    </li>
  );
}
