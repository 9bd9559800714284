import { type ReactNode, useState } from 'react';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { PaymentApplication, UpdatePaymentApplication } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';
import { Allowed, useMay } from '../people/allowed.js';

interface SettingsProps {
  application: PaymentApplication;
  title: MessageKey;
  submit?: MessageKey;
  /** What the form says. */
  read: (form: FormData) => UpdatePaymentApplication;
  /** What is wrong with it that the gateway would say in its own units, by field; in the reader's words. */
  refuse?: (form: FormData) => Readonly<Record<string, string[]>>;
  onSaved?: () => void;
  children: ReactNode;
}

/** One group of settings with its own button; others are left as they are. Who may not change them can read them. */
export function SettingsForm(props: SettingsProps): ReactNode {
  const { application, title, submit = 'settings.save', read, refuse, onSaved, children } = props;
  const update = useWrite('updatePaymentApplication');
  const [refusal, setRefusal] = useState<GatewayError | null>(null);
  const isReadOnly = !useMay()('updatePaymentApplication');
  return (
    <section className={parts['card']}>
      <h2>
        <T k={title} />
      </h2>
      <Form
        error={refusal ?? update.error}
        onSubmit={(form) => {
          const errors = refuse?.(form) ?? {};
          const isRefused = Object.keys(errors).length > 0;
          setRefusal(
            isRefused
              ? new GatewayError('validation_failed', Object.values(errors).flat().join(' '), { errors })
              : null,
          );
          if (isRefused) return;
          const body = read(form);
          update.mutate({ path: { id: application.id }, body }, { ...(onSaved && { onSuccess: onSaved }) });
        }}
        actions={
          <Allowed to="updatePaymentApplication" isExplained>
            <div className={parts['actions']}>
              <Button type="submit" kind="first" isPending={update.isPending}>
                <T k={submit} />
              </Button>
              <span role="status">{update.isSuccess && !refusal && <T k="settings.saved" />}</span>
            </div>
          </Allowed>
        }
      >
        <fieldset className={parts['settings']} disabled={isReadOnly}>
          {children}
        </fieldset>
      </Form>
    </section>
  );
}

/** A text of a form; empty is null. */
export function textOrNull(form: FormData, name: string): string | null {
  return (form.get(name) as string).trim() || null;
}
