import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { GoesTo } from '../wallets/goes-to.js';
import { AmountField, useAmount } from './amount-field.js';
import { useApplications, useCurrencies, useHasRate } from './payments.queries.js';
import { Figures } from '../parts/figures.js';

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
  applications: readonly {
    id: string;
    clientId: string;
    name: string;
    currencyWhitelist: readonly string[];
  }[];
  first: string;
  onClose: () => void;
}

function NewPayment({ applications, first, onClose }: NewProps): ReactNode {
  const { money } = useTexts();
  const currencies = useCurrencies().data?.data ?? [];
  const create = useWrite('createCheckout');
  const [clientId, setClientId] = useState(first);
  const [currencyCode, setCurrency] = useState('USD');
  const [isWrong, setWrong] = useState(false);
  const [reference, setReference] = useState('');
  const decimals = currencies.find(({ code }) => code === currencyCode)?.decimals ?? 2;
  const reading = useAmount({ code: currencyCode, decimals });
  const { atomic } = reading;
  const application = applications.find((one) => one.clientId === clientId);
  const hasRate = useHasRate(currencyCode, application?.currencyWhitelist ?? []);
  const what = atomic === null ? null : money({ atomic, decimals, currency: { code: currencyCode } });
  const made = create.data?.data;
  if (made)
    return <Made id={made.id} what={`${what} · ${reference}`} link={made.checkoutUrl} onClose={onClose} />;
  return (
    <Form
      // The gateway takes whole numbers of the smallest unit only, so this is the one check it cannot make.
      error={isWrong && atomic === null ? reading.refusal : create.error}
      onSubmit={(form) => {
        const textOf = (name: string) => (form.get(name) as string).trim();
        setWrong(atomic === null);
        if (atomic === null) return;
        const named = textOf('reference');
        setReference(named);
        const body = { clientId, currencyCode, amountAtomic: atomic, reference: named };
        create.mutate({ body: { ...body, referenceLabel: textOf('referenceLabel') || named } });
      }}
      actions={
        <div className={parts['actions']}>
          <Button type="submit" kind="first" isPending={create.isPending}>
            <Act act="create.create" what={what} />
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
      <AmountField label="create.amount" reading={reading} isRefused={isWrong} />
      <Pick
        label="filters.currency"
        value={currencyCode}
        options={currencies
          .filter(({ enabled }) => enabled)
          .map(({ code, name }) => [code, `${code} – ${name}`])}
        onChange={setCurrency}
      />
      {hasRate === false && (
        <p role="alert" className={parts['note']} data-tone="bad">
          <T k="create.no-rate" values={{ currency: currencyCode }} />
        </p>
      )}
      <Field name="reference" label="create.reference" isRequired maxLength={255} autoComplete="off" />
      <Field name="referenceLabel" label="payment.label" hint="create.label-hint" maxLength={255} />
      {application && <GoesTo applicationId={application.id} />}
    </Form>
  );
}

interface MadeProps {
  id: string;
  /** Its amount and reference, as they were understood. */
  what: string;
  link: string;
  onClose: () => void;
}

function Made({ id, what, link, onClose }: MadeProps): ReactNode {
  const { text } = useTexts();
  return (
    <>
      <p role="status">
        <strong>
          <bdi>
            <Figures>{what}</Figures>
          </bdi>
        </strong>{' '}
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
