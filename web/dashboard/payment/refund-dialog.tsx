import type { ReactNode } from 'react';
import { useWrite } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';

/** Begins a refund of all that is left. The shop pays it from its own wallet; the gateway checks it. */
export function RefundDialog({ paymentId, onClose }: { paymentId: string; onClose: () => void }): ReactNode {
  const create = useWrite('createRefund');
  const refund = create.data?.data;
  return (
    <Dialog title="refund.title" onClose={onClose}>
      {refund ? (
        <>
          <p>
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
      ) : (
        <Form
          error={create.error}
          onSubmit={(form) => {
            const textOf = (name: string) => (form.get(name) as string).trim() || null;
            const body = { reason: textOf('reason'), address: textOf('address') };
            create.mutate({ path: { paymentId }, body });
          }}
          actions={
            <div className={parts['actions']}>
              <Button type="submit" kind="first" isPending={create.isPending}>
                <T k="refund.create" />
              </Button>
              <Button onPress={onClose}>
                <T k="dialog.back" />
              </Button>
            </div>
          }
        >
          <p>
            <T k="refund.text" />
          </p>
          <Field name="address" label="refund.address" hint="refund.address-hint" autoComplete="off" />
          <Field name="reason" label="refund.reason" maxLength={255} />
        </Form>
      )}
    </Dialog>
  );
}
