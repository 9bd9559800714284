import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { FormErrors } from './form-errors.js';
import { T } from '../i18n/text.js';
import { Button } from './button.js';
import { Figures } from './figures.js';
import { elsewhere, reasonAtLabel } from './field-reasons.pure.js';
import styles from './parts.module.css';
import { Failure } from './states.js';

interface FormProps {
  error: GatewayError | null;
  onSubmit: (form: FormData) => void;
  /** Below what went wrong. */
  actions: ReactNode;
  children: ReactNode;
}

/**
 * A form that the gateway checks: its reasons stand at the fields that they name. Nothing is checked twice, so the
 * browser does not refuse what the gateway would take.
 */
export function Form({ error, onSubmit, actions, children }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  return (
    <AriaForm
      ref={form}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <FormErrors value={error?.errors ?? {}}>{children}</FormErrors>
      {error && <Refusal error={error} form={form} />}
      {actions}
    </AriaForm>
  );
}

interface RefusalProps {
  error: GatewayError;
  form: RefObject<HTMLFormElement | null>;
}

interface Wrong {
  name: string;
  field: HTMLElement;
  label: string;
  reason: string;
}

/** Which fields are wrong, and the way to each; what is wrong with no field of the form is a failure like any other. */
function Refusal({ error, form }: RefusalProps): ReactNode {
  const [wrong, setWrong] = useState<readonly Wrong[] | null>(null);
  // By its content: another render of the same reasons moves no focus.
  const errors = JSON.stringify(error.errors);
  useEffect(() => {
    const found = Object.entries(JSON.parse(errors) as GatewayError['errors']).flatMap(
      ([name, reasons]): Wrong[] => {
        const field = form.current?.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
        const label = field?.labels?.[0]?.textContent;
        return field && label ? [{ name, field, label, reason: reasons.map(reasonAtLabel).join(' ') }] : [];
      },
    );
    setWrong(found);
    found[0]?.field.focus();
  }, [errors, form]);
  if (wrong === null) return null;
  if (wrong.length === 0) return <Failure error={error} />;
  return (
    <div role="alert" className={styles['note']} data-tone="bad">
      <p>
        <strong>
          <T k="failure.fields" values={{ count: wrong.length }} />
        </strong>
      </p>
      <ul className={styles['stack']}>
        {wrong.map(({ name, field, label, reason }) => (
          <li key={name}>
            <Button onPress={() => field.focus()}>{label}</Button> <Figures>{reason}</Figures>
          </li>
        ))}
        {elsewhere(
          error.errors,
          wrong.map(({ name }) => name),
        ).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
