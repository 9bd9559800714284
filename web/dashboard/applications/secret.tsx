import { type ReactNode, useState } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy } from '../parts/field.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { newSecret } from './new-secret.js';

/** Replaces the secret that webhooks are signed with, and says until when the one before signs too. */
export function Secret({ application }: { application: PaymentApplication }): ReactNode {
  const path = { id: application.id };
  const endpoint = useRead('getWebhookEndpoint', { path });
  const [saved, setSaved] = useState<string | null>(null);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="tab.secret" />
      </h2>
      <p>
        <T k="secret.text" />
      </p>
      <Loaded query={endpoint} rows={1}>
        {({ data: { previousSecretUntil: until } }) =>
          until === null ? (
            <Rotate application={application} onSaved={setSaved} />
          ) : (
            <Overlap application={application} until={until} />
          )
        }
      </Loaded>
      {saved !== null && (
        <div className={parts['note']} data-tone="good" role="status">
          <p>
            <T k="secret.once" />
          </p>
          <pre dir="ltr">{saved}</pre>
          <div className={parts['actions']}>
            <Copy text={saved} />
          </div>
        </div>
      )}
    </section>
  );
}

interface RotateProps {
  application: PaymentApplication;
  onSaved: (secret: string) => void;
}

function Rotate({ application: { id, name }, onSaved }: RotateProps): ReactNode {
  const { text } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const update = useWrite('updatePaymentApplication');
  const rotate = () => {
    const secret = newSecret();
    const onSuccess = () => {
      setAsking(false);
      onSaved(secret);
    };
    update.mutate({ path: { id }, body: { secret } }, { onSuccess });
  };
  return (
    <Allowed to="updatePaymentApplication" isExplained>
      <div className={parts['actions']}>
        <Button kind="first" onPress={() => setAsking(true)}>
          <T k="secret.rotate" />
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title="secret.rotate"
          what={name}
          text={text('secret.text')}
          confirm="secret.rotate"
          isPending={update.isPending}
          failure={update.error && <Failure error={update.error} />}
          onConfirm={rotate}
          onClose={() => setAsking(false)}
        />
      )}
    </Allowed>
  );
}

/** Both secrets sign; the merchant ends that when the shop has the new one. */
function Overlap({ application, until }: { application: PaymentApplication; until: string }): ReactNode {
  const { text, time } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const end = useWrite('endPreviousSecret');
  const path = { id: application.id };
  return (
    <div className={parts['note']} data-tone="warn">
      <p role="status">
        <T k="secret.until" values={{ time: time(until) }} />
      </p>
      <Allowed to="endPreviousSecret" isExplained>
        <div className={parts['actions']}>
          <Button onPress={() => setAsking(true)}>
            <T k="secret.end" />
          </Button>
        </div>
      </Allowed>
      {isAsking && (
        <Confirm
          title="secret.end"
          what={application.name}
          text={text('secret.end-question')}
          confirm="secret.end"
          isDanger
          isPending={end.isPending}
          failure={end.error && <Failure error={end.error} />}
          onConfirm={() => end.mutate({ path }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
