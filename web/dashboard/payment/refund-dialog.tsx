import { type ReactNode, useState } from 'react';
import type { Payment, Refund } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { AmountField, useAmount } from '../payments/amount-field.js';
import { refundWhat } from './figures.js';
import { usePayment } from './payment.queries.js';
import { inCoin, refundAmounts, type RefundChoice } from './refund-amounts.pure.js';

interface DialogProps {
  paymentId: string;
  onClose: () => void;
}

/** Begins a refund. The shop pays it from its own wallet; the gateway checks it. */
export function RefundDialog({ paymentId, onClose }: DialogProps): ReactNode {
  const payment = usePayment(paymentId);
  const [refund, setRefund] = useState<Refund | null>(null);
  return (
    <Dialog title="refund.title" onClose={onClose}>
      {refund ? (
        <Made refund={refund} onClose={onClose} />
      ) : (
        <Loaded query={payment} rows={2}>
          {({ data }) => <NewRefund payment={data} onMade={setRefund} onClose={onClose} />}
        </Loaded>
      )}
    </Dialog>
  );
}

const CHOICES: Record<RefundChoice, MessageKey> = {
  excess: 'refund.excess',
  price: 'refund.price',
  all: 'refund.everything',
  other: 'refund.other',
};

interface NewProps {
  payment: Payment;
  onMade: (refund: Refund) => void;
  onClose: () => void;
}

function NewRefund({ payment, onMade, onClose }: NewProps): ReactNode {
  const { text, money } = useTexts();
  const create = useWrite('createRefund');
  const { decimals, currency } = payment.receivedAmount;
  const amounts = refundAmounts(payment);
  const [choice, setChoice] = useState<RefundChoice>(amounts[0]?.choice ?? 'other');
  const [isWrong, setWrong] = useState(false);
  const reading = useAmount({ code: currency.code, decimals });
  const atomic =
    choice === 'other' ? reading.atomic : (amounts.find((one) => one.choice === choice)?.atomic ?? null);
  const moneyOf = (units: string) => money({ atomic: units, decimals, currency });
  const coin = atomic === null ? null : inCoin(payment, atomic);
  const figures = atomic && [moneyOf(atomic), ...(coin ? [money(coin)] : [])].join(' = ');
  const what = figures && `${figures} · ${payment.reference}`;
  const options = [
    ...amounts.map((one) => [one.choice, `${moneyOf(one.atomic)} · ${text(CHOICES[one.choice])}`] as const),
    ['other', text('refund.other')] as const,
  ];
  return (
    <Form
      error={isWrong && atomic === null ? reading.refusal : create.error}
      onSubmit={(form) => {
        setWrong(atomic === null);
        if (atomic === null) return;
        const textOf = (name: string) => (form.get(name) as string).trim() || null;
        const body = { amount: BigInt(atomic), reason: textOf('reason'), address: textOf('address') };
        create.mutate({ path: { paymentId: payment.id }, body }, { onSuccess: ({ data }) => onMade(data) });
      }}
      actions={
        <div className={parts['actions']}>
          <Button type="submit" kind="first" isPending={create.isPending}>
            <Act act="refund.create" what={what} />
          </Button>
          <Button onPress={onClose}>
            <T k="dialog.back" />
          </Button>
        </div>
      }
    >
      <Pick
        label="refund.amount"
        value={choice}
        options={options}
        onChange={(chosen) => setChoice(chosen as RefundChoice)}
      />
      {choice === 'other' && <AmountField label="refund.other" reading={reading} isRefused={isWrong} />}
      <p>
        {what !== null && (
          <strong>
            <bdi>{what}</bdi>
          </strong>
        )}{' '}
        <T k="refund.text" />
      </p>
      <Field name="address" label="refund.address" hint="refund.address-hint" autoComplete="off" />
      <Field name="reason" label="refund.reason" maxLength={255} />
    </Form>
  );
}

/** What was made of it, by the gateway's own figures. */
function Made({ refund, onClose }: { refund: Refund; onClose: () => void }): ReactNode {
  const { money } = useTexts();
  return (
    <>
      <p>
        <strong>
          <bdi>{refundWhat(refund, money)}</bdi>
        </strong>{' '}
        <T k={refund.address === null ? 'refund.send-link' : 'refund.send-money'} />
      </p>
      <pre dir="ltr">{refund.claimUrl}</pre>
      <div className={parts['actions']}>
        <Copy text={refund.claimUrl} />
        <Button kind="first" onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </>
  );
}
