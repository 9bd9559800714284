import type { ReactNode } from 'react';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';

const COLUMNS = [
  { key: 'sessions.program', is: 'title' },
  { key: 'sessions.began' },
  { key: 'tokens.used' },
  { key: 'sessions.end', is: 'acts' },
] as const;

/** Where the user is signed in. */
export function Sessions(): ReactNode {
  const { text } = useTexts();
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
            <Table caption="sessions.title" columns={COLUMNS}>
              {data.map(({ id, clientId, clientName, signedInAt, lastUsedAt, current }) => (
                <Row
                  key={id}
                  cells={[
                    <bdi>{clientName ?? clientId}</bdi>,
                    <When at={signedInAt} />,
                    <When at={lastUsedAt} />,
                    current ? (
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
                    ),
                  ]}
                />
              ))}
            </Table>
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
