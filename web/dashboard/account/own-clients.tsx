import { type ReactNode, useState } from 'react';
import type { CreateOAuthClient, OAuthClient } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Copy, Field } from '../parts/field.js';
import { FormErrors } from '../parts/form-errors.js';
import { Form } from '../parts/form.js';
import { Confirm, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Draft } from '../session/draft.js';
import { StepUp } from '../session/step-up.js';

type Scope = CreateOAuthClient['scopes'][number];

const clientDraft = new Draft<CreateOAuthClient>('client');

/** All of the API, in its order. */
const SCOPES: readonly Scope[] = [
  'payments:read',
  'payments:write',
  'refunds:read',
  'refunds:write',
  'webhooks:read',
  'webhooks:write',
  'applications:read',
  'applications:write',
  'tokens:read',
  'tokens:write',
  'wallets:read',
  'wallets:write',
  'account:read',
  'account:write',
  '*',
];

/** Programs of the user's own servers. */
export function OwnClients(): ReactNode {
  const clients = useRead('listOAuthClients', {});
  const [isCreating, setCreating] = useState(() => clientDraft.find() !== null);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="clients.title" />
      </h2>
      <p className={parts['hint']}>
        <T k="clients.text" />
      </p>
      <Loaded query={clients} rows={1}>
        {({ data }) => (
          <ul className={parts['stack']}>
            {data.map((client) => (
              <Client key={client.clientId} client={client} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className={parts['actions']}>
        <Button onPress={() => setCreating(true)}>
          <T k="clients.create" />
        </Button>
      </div>
      {isCreating && <NewClient onClose={() => setCreating(false)} />}
    </section>
  );
}

function Client({ client }: { client: OAuthClient }): ReactNode {
  const { text } = useTexts();
  const { clientId, name, scopes, createdAt } = client;
  const [isAsking, setAsking] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const rotate = useWrite('rotateOAuthClientSecret');
  const remove = useWrite('deleteOAuthClient');
  const path = { clientId };
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <code>{clientId}</code>
      </p>
      <p className={parts['hint']}>
        <bdi dir="ltr">
          <code>{scopes.join(' ')}</code>
        </bdi>{' '}
        · <When at={createdAt} />
      </p>
      <div className={parts['actions']}>
        <Button aria-label={text('clients.rotate-named', { name })} onPress={() => setRotating(true)}>
          <T k="secret.rotate" />
        </Button>
        <Button
          kind="danger"
          aria-label={text('clients.delete-named', { name })}
          onPress={() => setAsking(true)}
        >
          <T k="clients.delete" />
        </Button>
      </div>
      {rotate.data && (
        <Dialog title="clients.made">
          <Secret clientId={clientId} secret={rotate.data.data.clientSecret} onClose={rotate.reset} />
        </Dialog>
      )}
      {isRotating && (
        <Confirm
          title="secret.rotate"
          what={name}
          text={text('clients.rotate-named', { name })}
          confirm="secret.rotate"
          isPending={rotate.isPending}
          failure={rotate.error && <StepUp error={rotate.error} />}
          onConfirm={() => rotate.mutate({ path }, { onSuccess: () => setRotating(false) })}
          onClose={() => setRotating(false)}
        />
      )}
      {isAsking && (
        <Confirm
          title="clients.delete"
          what={name}
          text={text('tokens.revoke-question', { label: name })}
          confirm="clients.delete"
          isDanger
          isPending={remove.isPending}
          failure={remove.error && <Failure error={remove.error} />}
          onConfirm={() => remove.mutate({ path })}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}

function NewClient({ onClose }: { onClose: () => void }): ReactNode {
  const [draft] = useState(() => clientDraft.find());
  const create = useWrite('createOAuthClient');
  const close = () => {
    clientDraft.drop();
    onClose();
  };
  const made = create.data?.data;
  if (made)
    return (
      <Dialog title="clients.made">
        <Secret clientId={made.clientId} secret={made.clientSecret} onClose={close} />
      </Dialog>
    );
  const { error, variables } = create;
  return (
    <Dialog title="clients.create" onClose={close}>
      <Form
        error={null}
        onSubmit={(form) => {
          const body = {
            name: (form.get('name') as string).trim(),
            scopes: form.getAll('scopes') as Scope[],
          };
          create.mutate({ body }, { onSuccess: () => clientDraft.drop() });
        }}
        actions={
          <>
            {error && <StepUp error={error} onLeave={() => variables && clientDraft.keep(variables.body)} />}
            <div className={parts['actions']}>
              <Button type="submit" kind="first" isPending={create.isPending}>
                <T k="clients.create" />
              </Button>
              <Button onPress={close}>
                <T k="dialog.back" />
              </Button>
            </div>
          </>
        }
      >
        <FormErrors value={error?.errors ?? {}}>
          <Field
            name="name"
            label="account.name"
            defaultValue={draft?.name ?? ''}
            maxLength={255}
            autoFocus
          />
          <fieldset>
            <legend>
              <T k="tokens.scopes" />
            </legend>
            {SCOPES.map((scope) => (
              <Check
                key={scope}
                name="scopes"
                value={scope}
                defaultSelected={draft?.scopes.includes(scope) ?? false}
              >
                <code>{scope}</code>
              </Check>
            ))}
          </fieldset>
        </FormErrors>
      </Form>
    </Dialog>
  );
}

interface SecretProps {
  clientId: string;
  secret: string;
  onClose: () => void;
}

function Secret({ clientId, secret, onClose }: SecretProps): ReactNode {
  const lines = `client_id=${clientId}\nclient_secret=${secret}`;
  return (
    <>
      <p>
        <T k="secret.once" />
      </p>
      <pre dir="ltr">{lines}</pre>
      <div className={parts['actions']}>
        <Copy text={lines} />
        <Button kind="first" onPress={onClose}>
          <T k="tokens.stored" />
        </Button>
      </div>
    </>
  );
}
