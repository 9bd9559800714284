import { type ReactNode, useState } from 'react';
import type { TwoFactorEnrolment } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';

type Asked = 'enable' | 'codes' | 'disable';

/** An authenticator app beside the password. */
export function SecondFactor(): ReactNode {
  const state = useRead('getTwoFactor', {});
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="factor.title" />
      </h2>
      <Loaded query={state} rows={1}>
        {({ data: { enabled, recoveryCodesLeft } }) => (
          <>
            <p>
              <Pill tone={enabled ? 'good' : 'warn'}>
                <T k={enabled ? 'factor.on' : 'factor.off'} />
              </Pill>{' '}
              {enabled ? <T k="factor.left" values={{ count: recoveryCodesLeft }} /> : <T k="factor.text" />}
            </p>
            <div className={parts['actions']}>
              {enabled ? (
                <>
                  <Button onPress={() => setAsked('codes')}>
                    <T k="factor.new-codes" />
                  </Button>
                  <Button kind="danger" onPress={() => setAsked('disable')}>
                    <T k="factor.disable" />
                  </Button>
                </>
              ) : (
                <Button kind="first" onPress={() => setAsked('enable')}>
                  <T k="factor.enable" />
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {asked === 'enable' && <Enable onClose={close} />}
      {asked === 'codes' && <NewCodes onClose={close} />}
      {asked === 'disable' && <Disable onClose={close} />}
    </section>
  );
}

interface DialogProps {
  onClose: () => void;
}

/** Password, then the code to scan, then the first code of the app, then the recovery codes. */
function Enable({ onClose }: DialogProps): ReactNode {
  const enrol = useWrite('enrolTwoFactor');
  const confirm = useWrite('confirmTwoFactor');
  if (confirm.data) return <RecoveryCodes codes={confirm.data.data.recoveryCodes} onClose={onClose} />;
  return (
    <Dialog title="factor.enable" onClose={onClose}>
      {enrol.data ? (
        <Form
          error={confirm.error}
          onSubmit={(form) => confirm.mutate({ body: { code: form.get('code') as string } })}
          actions={<Actions submit="factor.confirm" isPending={confirm.isPending} onClose={onClose} />}
        >
          <Scan enrolment={enrol.data.data} />
          <Field name="code" label="factor.code" autoComplete="one-time-code" inputMode="numeric" autoFocus />
        </Form>
      ) : (
        <Form
          error={enrol.error}
          onSubmit={(form) =>
            enrol.mutate({ body: { currentPassword: form.get('currentPassword') as string } })
          }
          actions={<Actions submit="factor.go-on" isPending={enrol.isPending} onClose={onClose} />}
        >
          <Field
            name="currentPassword"
            label="account.current"
            type="password"
            autoComplete="current-password"
            autoFocus
          />
        </Form>
      )}
    </Dialog>
  );
}

function Scan({ enrolment: { qrCode, secret } }: { enrolment: TwoFactorEnrolment }): ReactNode {
  const { text } = useTexts();
  return (
    <>
      <p>
        <T k="factor.scan" />
      </p>
      <p>
        <img src={qrCode.dataUri} alt={text('factor.qr')} width="220" height="220" />
      </p>
      <p>
        <T k="factor.type" /> <code dir="ltr">{secret}</code>
      </p>
    </>
  );
}

function NewCodes({ onClose }: DialogProps): ReactNode {
  const regenerate = useWrite('regenerateRecoveryCodes');
  if (regenerate.data) return <RecoveryCodes codes={regenerate.data.data.recoveryCodes} onClose={onClose} />;
  return (
    <Dialog title="factor.new-codes" onClose={onClose}>
      <Form
        error={regenerate.error}
        onSubmit={(form) => regenerate.mutate({ body: proof(form) })}
        actions={<Actions submit="factor.new-codes" isPending={regenerate.isPending} onClose={onClose} />}
      >
        <Proof />
      </Form>
    </Dialog>
  );
}

function Disable({ onClose }: DialogProps): ReactNode {
  const disable = useWrite('disableTwoFactor');
  return (
    <Dialog title="factor.disable" onClose={onClose}>
      <Form
        error={disable.error}
        onSubmit={(form) => disable.mutate({ body: proof(form) }, { onSuccess: onClose })}
        actions={<Actions submit="factor.disable" isPending={disable.isPending} onClose={onClose} />}
      >
        <Proof />
      </Form>
    </Dialog>
  );
}

function Proof(): ReactNode {
  return (
    <>
      <Field
        name="currentPassword"
        label="account.current"
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <Field name="code" label="factor.code" hint="factor.code-hint" autoComplete="one-time-code" />
    </>
  );
}

function proof(form: FormData): { currentPassword: string; code: string } {
  return { currentPassword: form.get('currentPassword') as string, code: form.get('code') as string };
}

/** Shown once; closed by the button only, so that a click beside it loses nothing. */
function RecoveryCodes({ codes, onClose }: DialogProps & { codes: readonly string[] }): ReactNode {
  return (
    <Dialog title="factor.codes">
      <p>
        <T k="factor.codes-text" />
      </p>
      <pre dir="ltr">{codes.join('\n')}</pre>
      <div className={parts['actions']}>
        <Copy text={codes.join('\n')} />
        <Button kind="first" onPress={onClose}>
          <T k="tokens.stored" />
        </Button>
      </div>
    </Dialog>
  );
}

interface ActionsProps extends DialogProps {
  submit: 'factor.confirm' | 'factor.go-on' | 'factor.new-codes' | 'factor.disable';
  isPending: boolean;
}

function Actions({ submit, isPending, onClose }: ActionsProps): ReactNode {
  return (
    <div className={parts['actions']}>
      <Button type="submit" kind={submit === 'factor.disable' ? 'danger' : 'first'} isPending={isPending}>
        <T k={submit} />
      </Button>
      <Button onPress={onClose}>
        <T k="dialog.back" />
      </Button>
    </div>
  );
}
