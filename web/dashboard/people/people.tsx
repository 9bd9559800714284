import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Screen } from '../shell/screen.js';
import { actIn } from '../session/acting-account.js';
import { ROLE_WORDS, useAccounts } from './accounts.queries.js';
import { Allowed } from './allowed.js';
import { InvitationDialog, invitationDraft } from './invitation-dialog.js';
import { Invitations } from './invitations.js';
import { MemberRow } from './member-row.js';

const COLUMNS = [
  { key: 'account.email', is: 'title' },
  { key: 'people.role', is: 'state' },
  { key: 'people.since' },
  { key: 'people.remove', is: 'acts' },
] as const;

/** Who may act in this account, and in which ones the user may. */
export default function People(): ReactNode {
  const { text } = useTexts();
  const members = useRead('listMembers', {});
  const [isInviting, setInviting] = useState(() => invitationDraft.find() !== null);
  return (
    <Screen title={text('nav.people')}>
      <div className={parts['stack']}>
        <section className={parts['card']}>
          <p className={parts['hint']}>
            <T k="people.text" />
          </p>
          <Loaded query={members} rows={2}>
            {({ data }) => (
              <Table caption="nav.people" columns={COLUMNS}>
                {data.map((member) => (
                  <MemberRow key={member.userId} member={member} />
                ))}
              </Table>
            )}
          </Loaded>
          <Allowed to="createInvitation" isExplained>
            <div className={parts['actions']}>
              <Button kind="first" onPress={() => setInviting(true)}>
                <T k="people.invite" />
              </Button>
            </div>
          </Allowed>
        </section>
        <Allowed to="listInvitations">
          <Invitations />
        </Allowed>
        <Memberships />
      </div>
      {isInviting && <InvitationDialog onClose={() => setInviting(false)} />}
    </Screen>
  );
}

/** The accounts of others in which the user may act. */
function Memberships(): ReactNode {
  const { text } = useTexts();
  const known = useAccounts();
  const leave = useWrite('leaveAccount');
  const [leaving, setLeaving] = useState<string | null>(null);
  const others = known?.accounts.slice(1) ?? [];
  if (others.length === 0) return null;
  return (
    <section className={parts['card']}>
      <h2>
        <T k="people.memberships" />
      </h2>
      <ul className={parts['stack']}>
        {others.map(({ accountId, email, role }) => (
          <li key={accountId}>
            <p>
              <bdi>{email}</bdi> · <T k={ROLE_WORDS[role]} />
            </p>
            <div className={parts['actions']}>
              {accountId !== known?.acting.accountId && (
                <Button aria-label={text('people.open-named', { email })} onPress={() => actIn(accountId)}>
                  <T k="people.open" />
                </Button>
              )}
              <Button
                kind="danger"
                aria-label={text('people.leave-named', { email })}
                onPress={() => setLeaving(accountId)}
              >
                <T k="people.leave" />
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {leaving !== null && (
        <Confirm
          title="people.leave"
          what={others.find(({ accountId }) => accountId === leaving)?.email ?? null}
          text={text('people.leave-question')}
          confirm="people.leave"
          isDanger
          isPending={leave.isPending}
          failure={leave.error && <Failure error={leave.error} />}
          onConfirm={() =>
            leave.mutate({ path: { accountId: leaving } }, { onSuccess: () => setLeaving(null) })
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  );
}
