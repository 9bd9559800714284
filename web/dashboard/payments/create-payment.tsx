import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { GatewayError } from '../../../sdk/src/errors.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { exactAtomicOf } from './amount.pure.js';
import { useApplications, useCurrencies } from './payments.queries.js';

const Qr = lazy(() => import('../parts/qr.js'));

/** A payment without a shop's server: a link to send to a customer. */
export function CreatePayment({ onClose }: { onClose: () => void }): ReactNode {
  const applications = useApplications();
  return (
    <Dialog title="create.link" onClose={onClose}>
      <Loaded query={applications} rows={2}>
        {({ data }) => {
          const [first] = data;
          if (first) return <NewPayment applications={data} first={first.clientId} onClose={onClose} />;
          return (
            <>
              <p>
                <T k="applications.none" />
              </p>
              <div className={parts['actions']}>
                <Link className={parts['button'] ?? ''} data-kind="first" to="/applications?new=true">
                  <T k="applications.create" />
                </Link>
              </div>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

interface NewProps {
  applications: readonly { clientId: string; name: string }[];
  first: string;
  onClose: () => void;
}

function NewPayment({ applications, first, onClose }: NewProps): ReactNode {
  const { text } = useTexts();
  const currencies = useCurrencies().data?.data ?? [];
  const create = useWrite('createCheckout');
  const [clientId, setClientId] = useState(first);
  const [currencyCode, setCurrency] = useState('USD');
  const [isWrong, setWrong] = useState(false);
  const decimals = currencies.find(({ code }) => code === currencyCode)?.decimals ?? 2;
  const made = create.data?.data;
  if (made) return <Made id={made.id} link={made.checkoutUrl} onClose={onClose} />;
  // The gateway takes whole numbers of the smallest unit only, so this is the one check it cannot make.
  const wrongAmount = new GatewayError('validation_failed', '', {
    errors: { amount: [text('create.amount-wrong', { decimals })] },
  });
  return (
    <Form
      error={isWrong ? wrongAmount : create.error}
      onSubmit={(form) => {
        const textOf = (name: string) => (form.get(name) as string).trim();
        const amountAtomic = exactAtomicOf(textOf('amount'), decimals);
        setWrong(amountAtomic === null);
        if (amountAtomic === null) return;
        const reference = textOf('reference');
        const body = { clientId, currencyCode, amountAtomic, reference };
        create.mutate({ body: { ...body, referenceLabel: textOf('referenceLabel') || reference } });
      }}
      actions={
        <div className={parts['actions']}>
          <Button type="submit" kind="first" isPending={create.isPending}>
            <T k="create.create" />
          </Button>
          <Button onPress={onClose}>
            <T k="dialog.back" />
          </Button>
        </div>
      }
    >
      {applications.length > 1 && (
        <Pick
          label="payments.application"
          value={clientId}
          options={applications.map((one) => [one.clientId, one.name])}
          onChange={setClientId}
        />
      )}
      <Field
        name="amount"
        label="create.amount"
        hint="create.amount-hint"
        inputMode="decimal"
        isRequired
        autoFocus
      />
      <Pick
        label="filters.currency"
        value={currencyCode}
        options={currencies.map(({ code, name }) => [code, `${code} – ${name}`])}
        onChange={setCurrency}
      />
      <Field name="reference" label="create.reference" isRequired maxLength={255} autoComplete="off" />
      <Field name="referenceLabel" label="payment.label" hint="create.label-hint" maxLength={255} />
    </Form>
  );
}

function Made({ id, link, onClose }: { id: string; link: string; onClose: () => void }): ReactNode {
  const { text } = useTexts();
  return (
    <>
      <p role="status">
        <T k="create.made" />
      </p>
      <pre dir="ltr">{link}</pre>
      <Suspense fallback={null}>
        <Qr content={link} label={text('create.qr')} />
      </Suspense>
      <div className={parts['actions']}>
        <Copy text={link} />
        <Link className={parts['button'] ?? ''} to={`/payments/${id}`} onClick={onClose}>
          <T k="create.open" />
        </Link>
        <Button onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </>
  );
}
