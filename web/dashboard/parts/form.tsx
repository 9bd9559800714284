import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { FormErrors } from './form-errors.js';
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
  return (
    <AriaForm
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <FormErrors value={error?.errors ?? {}}>{children}</FormErrors>
      {error && <Failure error={error} />}
      {actions}
    </AriaForm>
  );
}
