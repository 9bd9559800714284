import type { ReactNode } from 'react';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';

/** Where the user is signed in. */
export function Sessions(): ReactNode {
  const { text, time } = useTexts();
  const sessions = useRead('listSessions', {});
  const end = useWrite('endSession');
  const endOthers = useWrite('endOtherSessions');
  return (
    <section className={parts['card']}>
      <h2>
        <T k="sessions.title" />
      </h2>
      <Loaded query={sessions}>
        {({ data }) => (
          <>
            <table className={parts['table']}>
              <caption className={parts['unseen']}>
                <T k="sessions.title" />
              </caption>
              <thead>
                <tr>
                  <th scope="col">
                    <T k="sessions.program" />
                  </th>
                  <th scope="col">
                    <T k="sessions.began" />
                  </th>
                  <th scope="col">
                    <T k="tokens.used" />
                  </th>
                  <th scope="col">
                    <span className={parts['unseen']}>
                      <T k="sessions.end" />
                    </span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ id, clientId, clientName, signedInAt, lastUsedAt, current }) => (
                  <tr key={id}>
                    <td>
                      <bdi>{clientName ?? clientId}</bdi>
                    </td>
                    <td data-wide>{time(signedInAt)}</td>
                    <td data-wide>{time(lastUsedAt)}</td>
                    <td>
                      {current ? (
                        <Pill tone="good">
                          <T k="sessions.this" />
                        </Pill>
                      ) : (
                        <Button
                          kind="danger"
                          aria-label={text('sessions.end-named', { name: clientName ?? clientId })}
                          isPending={end.isPending && end.variables?.path.sessionId === id}
                          onPress={() => end.mutate({ path: { sessionId: id } })}
                        >
                          <T k="sessions.end" />
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {[end, endOthers].map(({ error }, index) => error && <Failure key={index} error={error} />)}
            {data.length > 1 && (
              <div className={parts['actions']}>
                <Button isPending={endOthers.isPending} onPress={() => endOthers.mutate({})}>
                  <T k="sessions.end-others" />
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
