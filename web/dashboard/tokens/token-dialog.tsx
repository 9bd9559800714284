import { type ReactNode, useState } from 'react';
import type { NewClientToken, PaymentApplication, Scope } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { formatSpan } from '../i18n/ago.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Copy, Field, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { GoesTo } from '../wallets/goes-to.js';
import { curlOf, type End, endOf, ENDS, envOf } from './examples.pure.js';

const SCOPES: readonly (readonly [Scope, MessageKey, isUsual: boolean])[] = [
  ['payments.create', 'scope.create', true],
  ['payments.get', 'scope.get', true],
  ['payments.user-instructions.get', 'scope.instructions', false],
  ['*', 'scope.all', false],
];

interface DialogProps {
  application: PaymentApplication;
  onClose: () => void;
}

/** Create API Access Token: asks for label, end and scopes, then shows the token, once. */
export function TokenDialog({ application, onClose }: DialogProps): ReactNode {
  const create = useWrite('createClientToken');
  const [end, setEnd] = useState<End>('');
  const token = create.data?.data;
  // Closed by the button only once the token is shown: a click beside it must not lose what is never shown again.
  return (
    <Dialog title={token ? 'tokens.made' : 'tokens.create'} {...(!token && { onClose })}>
      {token ? (
        <Shown token={token} clientId={application.clientId} onClose={onClose} />
      ) : (
        <Form
          error={create.error}
          onSubmit={(form) => {
            const body = {
              label: (form.get('label') as string).trim(),
              expiresAt: endOf(end, (form.get('expiresAt') as string | null) ?? '', new Date()),
              scopes: form.getAll('scopes') as Scope[],
            };
            create.mutate({ path: { id: application.id }, body });
          }}
          actions={
            <div className={parts['actions']}>
              <Button type="submit" kind="first" isPending={create.isPending}>
                <T k="tokens.create" />
              </Button>
              <Button onPress={onClose}>
                <T k="dialog.back" />
              </Button>
            </div>
          }
        >
          <Field
            name="label"
            label="tokens.label"
            hint="tokens.label-hint"
            isRequired
            maxLength={255}
            autoFocus
          />
          <Ends end={end} onChange={setEnd} />
          {end === 'day' && (
            <Field name="expiresAt" label="tokens.on-day" hint="tokens.expires-hint" type="date" isRequired />
          )}
          <fieldset>
            <legend>
              <T k="tokens.scopes" />
            </legend>
            {SCOPES.map(([scope, name, isUsual]) => (
              <Check key={scope} name="scopes" value={scope} defaultSelected={isUsual}>
                <T k={name} /> <code>{scope}</code>
              </Check>
            ))}
          </fieldset>
          <GoesTo applicationId={application.id} />
        </Form>
      )}
    </Dialog>
  );
}

/** When the token ends. */
function Ends({ end, onChange }: { end: End; onChange: (end: End) => void }): ReactNode {
  const { text, locale } = useTexts();
  const words: Record<End, string> = {
    '': text('tokens.never'),
    30: formatSpan(30, 'day', locale),
    90: formatSpan(90, 'day', locale),
    365: formatSpan(1, 'year', locale),
    day: text('tokens.on-day'),
  };
  return (
    <Pick
      label="tokens.expires"
      value={end}
      options={ENDS.map((one) => [one, words[one]] as const)}
      onChange={(chosen) => onChange(ENDS.find((one) => one === chosen) ?? '')}
    />
  );
}

interface ShownProps {
  token: NewClientToken;
  clientId: string;
  onClose: () => void;
}

function Shown({ token: { token, scopes }, clientId, onClose }: ShownProps): ReactNode {
  const example = { baseUrl: location.origin, token, clientId, scopes };
  return (
    <div className={parts['stack']}>
      <p>
        <T k="tokens.made-text" />
      </p>
      <Snippet id="token" name="tokens.token" text={token} />
      <Snippet id="env" name="tokens.env" text={envOf(example)} />
      <Snippet id="curl" name="tokens.curl" text={curlOf(example)} />
      <div className={parts['actions']}>
        <Button kind="first" onPress={onClose}>
          <T k="tokens.stored" />
        </Button>
      </div>
    </div>
  );
}

function Snippet({ id, name, text }: { id: string; name: MessageKey; text: string }): ReactNode {
  return (
    <section>
      <div className={parts['title']}>
        <h3>
          <T k={name} />
        </h3>
        <Copy text={text} />
      </div>
      <pre dir="ltr" data-snippet={id}>
        {text}
      </pre>
    </section>
  );
}
