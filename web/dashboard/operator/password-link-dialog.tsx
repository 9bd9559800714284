import type { ReactNode } from 'react';
import type { AdminUser } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy } from '../parts/field.js';
import { Confirm, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { StepUp } from '../session/step-up.js';

/** Asks first, because an earlier link ends; then shows the link, once. */
export function PasswordLinkDialog({ user, onClose }: { user: AdminUser; onClose: () => void }): ReactNode {
  const { text } = useTexts();
  const { id: userId, email } = user;
  const create = useWrite('createPasswordLink');
  const made = create.data?.data;
  if (!made)
    return (
      <Confirm
        title="users.link"
        what={email}
        text={text('users.link-question', { email })}
        confirm="users.link"
        isPending={create.isPending}
        failure={create.error && <StepUp error={create.error} />}
        onConfirm={() => create.mutate({ path: { userId } })}
        onClose={onClose}
      />
    );
  // Closed by the button only: a click beside it must not lose what is never shown again.
  return (
    <Dialog title="users.link">
      <p>
        <T k="users.link-once" values={{ email }} />
      </p>
      <pre dir="ltr">{made.url}</pre>
      <div className={parts['actions']}>
        <Copy text={made.url} />
        <Button kind="first" onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </Dialog>
  );
}
