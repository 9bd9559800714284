import type { ReactNode } from 'react';
import { useWrite } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';
import { startOfDay } from '../parts/day.pure.js';

/** Delivers again what failed since a day, e.g. after an outage of the shop's server. */
export function Replay({ applicationId }: { applicationId: string }): ReactNode {
  const replay = useWrite('replayWebhooks');
  const path = { id: applicationId };
  const done = replay.data?.data;
  return (
    <section className={parts['card']}>
      <h2>
        <T k="replay.title" />
      </h2>
      <p className={parts['hint']}>
        <T k="replay.text" />
      </p>
      <Form
        error={replay.error}
        onSubmit={(form) => {
          const since = startOfDay(form.get('since') as string);
          // An empty one is the gateway's to refuse.
          replay.mutate({ path, body: { since: since?.toISOString() ?? '' } });
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" isPending={replay.isPending}>
              <T k="replay.start" />
            </Button>
            {done && (
              <span role="status">
                <T k="replay.done" values={{ count: done.count }} />
              </span>
            )}
            {done?.hasMore === true && done.lastDeliveryId !== null && (
              <Button
                onPress={() => {
                  const after = done.lastDeliveryId;
                  const { body } = replay.variables ?? {};
                  if (after !== null && body) replay.mutate({ path, body: { ...body, after } });
                }}
              >
                <T k="factor.go-on" />
              </Button>
            )}
          </div>
        }
      >
        <Field name="since" label="replay.since" type="date" />
      </Form>
    </section>
  );
}
