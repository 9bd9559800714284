import { type ReactNode, useState } from 'react';
import type { InvitedRole, Member } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import { Failure } from '../parts/states.js';
import { Row } from '../parts/table.js';
import { When } from '../parts/when.js';
import { StepUp } from '../session/step-up.js';
import { ROLE_WORDS } from './accounts.queries.js';
import { useMay } from './allowed.js';

export const INVITED_ROLES: readonly InvitedRole[] = ['developer', 'viewer'];

export function MemberRow({ member }: { member: Member }): ReactNode {
  const { text } = useTexts();
  const { userId, email, role, createdAt } = member;
  const update = useWrite('updateMember');
  const remove = useWrite('removeMember');
  const [isAsking, setAsking] = useState(false);
  const path = { userId };
  const may = useMay();
  const isOwner = role === 'owner';
  return (
    <Row
      cells={[
        <bdi>{email}</bdi>,
        <>
          {!isOwner && may('updateMember') ? (
            <select
              aria-label={text('people.role-named', { email })}
              value={role}
              disabled={update.isPending}
              onChange={({ target }) => update.mutate({ path, body: { role: target.value as InvitedRole } })}
            >
              {INVITED_ROLES.map((one) => (
                <option key={one} value={one}>
                  {text(ROLE_WORDS[one])}
                </option>
              ))}
            </select>
          ) : (
            <T k={ROLE_WORDS[role]} />
          )}
          {update.error && <StepUp error={update.error} />}
        </>,
        <When at={createdAt} />,
        <>
          {!isOwner && may('removeMember') && (
            <Button
              kind="danger"
              aria-label={text('people.remove-named', { email })}
              onPress={() => setAsking(true)}
            >
              <T k="people.remove" />
            </Button>
          )}
          {isAsking && (
            <Confirm
              title="people.remove"
              what={email}
              text={text('people.remove-question', { email })}
              confirm="people.remove"
              isDanger
              isPending={remove.isPending}
              failure={remove.error && <Failure error={remove.error} />}
              onConfirm={() => remove.mutate({ path })}
              onClose={() => setAsking(false)}
            />
          )}
        </>,
      ]}
    />
  );
}
