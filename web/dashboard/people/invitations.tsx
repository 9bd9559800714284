import type { ReactNode } from 'react';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';
import { ROLE_WORDS } from './accounts.queries.js';

/** Invitations that can still be accepted. */
export function Invitations(): ReactNode {
  const { text, time } = useTexts();
  const invitations = useRead('listInvitations', {});
  const withdraw = useWrite('withdrawInvitation');
  return (
    <section className={parts['card']}>
      <h2>
        <T k="people.invitations" />
      </h2>
      <Loaded query={invitations} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={parts['hint']}>
              <T k="people.no-invitations" />
            </p>
          ) : (
            <ul className={parts['stack']}>
              {data.map(({ id, email, role, expiresAt }) => (
                <li key={id}>
                  <p>
                    <bdi>{email}</bdi> · <T k={ROLE_WORDS[role]} /> ·{' '}
                    <T k="people.until" values={{ time: time(expiresAt) }} />
                  </p>
                  <div className={parts['actions']}>
                    <Button
                      kind="danger"
                      aria-label={text('people.withdraw-named', { email })}
                      isPending={withdraw.isPending && withdraw.variables?.path.invitationId === id}
                      onPress={() => withdraw.mutate({ path: { invitationId: id } })}
                    >
                      <T k="people.withdraw" />
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {withdraw.error && <Failure error={withdraw.error} />}
    </section>
  );
}
