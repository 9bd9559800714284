import { type ReactNode, useState } from 'react';
import type { Payment, Refund } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Choose, Copy, Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { useNetworks } from '../payments/payments.queries.js';
import { AmountField, useAmount } from '../payments/amount-field.js';
import { refundWhat } from './figures.js';
import { usePayment, useRefunds } from './payment.queries.js';
import { inCoin, type RefundAmount, refundableOf } from './refund-amounts.pure.js';
import { Figures } from '../parts/figures.js';

interface DialogProps {
  paymentId: string;
  onClose: () => void;
}

/** Begins a refund. The shop pays it from its own wallet; the gateway checks it. */
export function RefundDialog({ paymentId, onClose }: DialogProps): ReactNode {
  const payment = usePayment(paymentId);
  const refunds = useRefunds(paymentId);
  const [refund, setRefund] = useState<Refund | null>(null);
  return (
    <Dialog title="refund.title" onClose={onClose}>
      {refund ? (
        <Made refund={refund} onClose={onClose} />
      ) : (
        <Loaded query={payment} rows={2}>
          {({ data }) => (
            <Loaded query={refunds} rows={1}>
              {(before) => (
                <NewRefund payment={data} before={before.data} onMade={setRefund} onClose={onClose} />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

const CHOICES: Record<RefundAmount['choice'], MessageKey> = {
  excess: 'refund.excess',
  price: 'refund.price',
  all: 'refund.everything',
};

/** One of the ways to give back. */
interface Way {
  choice: string;
  label: string;
  /** Null: no amount is written yet, or it is refused. */
  figures: string | null;
  body: { amount: bigint } | { transferId: string } | null;
}

interface NewProps {
  payment: Payment;
  /** The refunds that there are. */
  before: readonly Refund[];
  onMade: (refund: Refund) => void;
  onClose: () => void;
}

function NewRefund({ payment, before, onMade, onClose }: NewProps): ReactNode {
  const { text, money } = useTexts();
  const { nameOf } = useNetworks();
  const create = useWrite('createRefund');
  const { decimals, currency } = payment.receivedAmount;
  const moneyOf = (units: string) => money({ atomic: units, decimals, currency });
  const inBoth = (units: string) => {
    const coin = inCoin(payment, units);
    return [...new Set([moneyOf(units), ...(coin ? [money(coin)] : [])])].join(' = ');
  };
  const { left, amounts, unmatched } = refundableOf(payment, before);
  const reading = useAmount({ code: currency.code, decimals, most: left });
  const ways: Way[] = [
    ...amounts.map(({ choice, atomic }) => ({
      choice,
      label: `${moneyOf(atomic)} · ${text(CHOICES[choice])}`,
      figures: inBoth(atomic),
      body: { amount: BigInt(atomic) },
    })),
    // What came on another network or in another coin is given back as it came.
    ...unmatched.map(({ id, amount, blockchain }) => {
      const figures = `${money(amount)} · ${nameOf(blockchain)}`;
      const label = `${figures} · ${text('payments.unmatched')}`;
      return { choice: id, label, figures, body: { transferId: id } };
    }),
    {
      choice: 'other',
      label: text('refund.other'),
      figures: reading.atomic && inBoth(reading.atomic),
      body: reading.atomic === null ? null : { amount: BigInt(reading.atomic) },
    },
  ];
  const [choice, setChoice] = useState(ways[0]?.choice);
  const [isWrong, setWrong] = useState(false);
  const { figures = null, body = null } = ways.find((way) => way.choice === choice) ?? {};
  const what = figures && `${figures} · ${payment.reference}`;
  return (
    <Form
      error={isWrong && body === null ? reading.refusal : create.error}
      onSubmit={(form) => {
        setWrong(body === null);
        if (body === null) return;
        const textOf = (name: string) => (form.get(name) as string).trim() || null;
        create.mutate(
          {
            path: { paymentId: payment.id },
            body: { ...body, reason: textOf('reason'), address: textOf('address') },
          },
          { onSuccess: ({ data }) => onMade(data) },
        );
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
      <Choose
        label="refund.amount"
        value={choice ?? ''}
        options={ways.map((way) => [way.choice, way.label])}
        onChange={setChoice}
      />
      {choice === 'other' && <AmountField label="refund.other" reading={reading} isRefused={isWrong} />}
      <p>
        {what !== null && (
          <strong>
            <bdi>
              <Figures>{what}</Figures>
            </bdi>
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
          <bdi>
            <Figures>{refundWhat(refund, money)}</Figures>
          </bdi>
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
