import { type ReactNode, useState } from 'react';
import type { AdminUser } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Row } from '../parts/table.js';
import type { Tone } from '../parts/tone.pure.js';
import { When } from '../parts/when.js';
import { StepUp } from '../session/step-up.js';
import { PasswordLinkDialog } from './password-link-dialog.js';
import { TypedConfirm } from './typed-confirm.js';

const WORDS: Record<AdminUser['state'], readonly [Tone, MessageKey]> = {
  active: ['good', 'users.active'],
  disabled: ['warn', 'users.disabled'],
  erased: ['idle', 'users.erased'],
  changed: ['bad', 'users.changed'],
};
/** What can be done, by state; a row that another program has changed is mended on the command line. */
const ACTS = {
  active: ['link', 'disable'],
  disabled: ['enable', 'erase'],
  erased: [],
  changed: [],
} as const satisfies Record<AdminUser['state'], readonly string[]>;
type Act = (typeof ACTS)[AdminUser['state']][number];

const NAMES: Record<Act, readonly [short: MessageKey, named: MessageKey]> = {
  link: ['users.link', 'users.link-named'],
  disable: ['users.disable', 'users.disable-named'],
  enable: ['users.enable', 'users.enable-named'],
  erase: ['users.erase', 'users.erase-named'],
};

export function UserRow({ user }: { user: AdminUser }): ReactNode {
  const { text } = useTexts();
  const [asked, setAsked] = useState<Act | null>(null);
  const [tone, word] = WORDS[user.state];
  return (
    <Row
      cells={[
        <bdi>{user.email}</bdi>,
        <>
          <Pill tone={tone}>
            <T k={word} />
          </Pill>{' '}
          {!user.emailVouched && (user.state === 'active' || user.state === 'disabled') && (
            <Pill tone="warn">
              <T k="users.unvouched" />
            </Pill>
          )}{' '}
          {user.isOperator && (
            <Pill tone="calm">
              <T k="nav.operator" />
            </Pill>
          )}
        </>,
        user.applications,
        user.lastSignInAt === null ? <T k="users.never" /> : <When at={user.lastSignInAt} />,
        <>
          <div className={parts['actions']}>
            {ACTS[user.state].map((act) => (
              <Button
                key={act}
                {...((act === 'disable' || act === 'erase') && { kind: 'danger' as const })}
                aria-label={text(NAMES[act][1], { email: user.email })}
                onPress={() => setAsked(act)}
              >
                <T k={NAMES[act][0]} />
              </Button>
            ))}
          </div>
          {asked !== null && <Question user={user} act={asked} onClose={() => setAsked(null)} />}
        </>,
      ]}
    />
  );
}

function Question({ user, act, onClose }: { user: AdminUser; act: Act; onClose: () => void }): ReactNode {
  const { text } = useTexts();
  const { id: userId, email } = user;
  const disable = useWrite('disableUser');
  const enable = useWrite('enableUser');
  const erase = useWrite('eraseUser');
  const input = { path: { userId } };
  const done = { onSuccess: onClose };
  if (act === 'link') return <PasswordLinkDialog user={user} onClose={onClose} />;
  if (act === 'enable')
    return (
      <Confirm
        title="users.enable"
        what={email}
        text={text('users.enable-question', { email })}
        confirm="users.enable"
        isPending={enable.isPending}
        failure={enable.error && <StepUp error={enable.error} />}
        onConfirm={() => enable.mutate(input, done)}
        onClose={onClose}
      />
    );
  const [write, question] =
    act === 'disable'
      ? ([disable, 'users.disable-question'] as const)
      : ([erase, 'users.erase-question'] as const);
  return (
    <TypedConfirm
      title={NAMES[act][0]}
      text={text(question, { email })}
      expected={email}
      isPending={write.isPending}
      failure={write.error && <StepUp error={write.error} />}
      onConfirm={() => write.mutate(input, done)}
      onClose={onClose}
    />
  );
}
