import { type ReactNode, useState } from 'react';
import type { Payment } from '../api/operations.js';
import type { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, type Texts, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import { Failure } from '../parts/states.js';
import { usePayment } from './payment.queries.js';

interface AskedProps {
  paymentId: string;
  /** The figures that it is about; the order is named beside them. Null: they are being read. */
  figuresOf: (payment: Payment, texts: Texts) => string | null;
  button: MessageKey;
  question: MessageKey;
  kind: 'first' | 'plain' | 'danger';
  write: Pick<ReturnType<typeof useWrite>, 'isPending' | 'error' | 'reset'>;
  onConfirm: (options: { onSuccess: () => void }) => void;
}

/** A button whose effect cannot be undone. */
export function Asked(props: AskedProps): ReactNode {
  const { paymentId, figuresOf, button, question, kind, write, onConfirm } = props;
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const payment = usePayment(paymentId, { isEnabled: isOpen }).data?.data;
  const figures = payment ? figuresOf(payment, texts) : null;
  const close = () => {
    setOpen(false);
    write.reset();
  };
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        <T k={button} />
      </Button>
      {isOpen && (
        <Confirm
          title={button}
          what={payment && figures !== null ? `${figures} · ${payment.reference}` : null}
          text={texts.text(question)}
          confirm={button}
          isDanger={kind === 'danger'}
          isPending={write.isPending}
          failure={write.error && <Failure error={write.error} />}
          onConfirm={() => onConfirm({ onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
