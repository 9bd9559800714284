import { type ReactNode, useState } from 'react';
import type { CreateInvitation, InvitedRole } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field, Pick } from '../parts/field.js';
import { FormErrors } from '../parts/form-errors.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Draft } from '../session/draft.js';
import { StepUp } from '../session/step-up.js';
import { ROLE_WORDS } from './accounts.queries.js';
import { INVITED_ROLES } from './member-row.js';

export const invitationDraft = new Draft<CreateInvitation>('invitation');

/** Asks for address and role, then shows the link, once. */
export function InvitationDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { text } = useTexts();
  const [draft] = useState(() => invitationDraft.find());
  const create = useWrite('createInvitation');
  const [role, setRole] = useState<InvitedRole>(draft?.role ?? 'developer');
  const close = () => {
    invitationDraft.drop();
    onClose();
  };
  const made = create.data?.data;
  // Closed by the button only: a click beside it must not lose what is never shown again.
  if (made)
    return (
      <Dialog title="people.invited">
        <p>
          <T k="people.link-once" values={{ email: made.email }} />
        </p>
        <pre dir="ltr">{made.url}</pre>
        <div className={parts['actions']}>
          <Copy text={made.url} />
          <Button kind="first" onPress={close}>
            <T k="dialog.done" />
          </Button>
        </div>
      </Dialog>
    );
  const { error, variables } = create;
  return (
    <Dialog title="people.invite" onClose={close}>
      <Form
        error={null}
        onSubmit={(form) => {
          const body = { email: (form.get('email') as string).trim(), role };
          create.mutate({ body }, { onSuccess: () => invitationDraft.drop() });
        }}
        actions={
          <>
            {error && (
              <StepUp error={error} onLeave={() => variables && invitationDraft.keep(variables.body)} />
            )}
            <div className={parts['actions']}>
              <Button type="submit" kind="first" isPending={create.isPending}>
                <T k="people.invite" />
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
            name="email"
            type="email"
            label="account.email"
            defaultValue={draft?.email ?? ''}
            maxLength={254}
            isRequired
            autoFocus
          />
          <Pick
            label="people.role"
            value={role}
            options={INVITED_ROLES.map((one) => [one, text(ROLE_WORDS[one])] as const)}
            onChange={(value) => setRole(value as InvitedRole)}
          />
          <p className={parts['hint']}>
            <T k={role === 'viewer' ? 'people.viewer-text' : 'people.developer-text'} />
          </p>
        </FormErrors>
      </Form>
    </Dialog>
  );
}
