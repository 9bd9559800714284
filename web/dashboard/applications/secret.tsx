import { type ReactNode, useState } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { T } from '../i18n/text.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { newSecret } from './new-secret.js';
import { SettingsForm } from './settings-form.js';

/** Replaces the secret that webhooks are signed with. */
export function Secret({ application }: { application: PaymentApplication }): ReactNode {
  const [secret, setSecret] = useState(newSecret);
  const [saved, setSaved] = useState<string | null>(null);
  return (
    <>
      <SettingsForm
        application={application}
        title="tab.secret"
        submit="secret.rotate"
        read={() => ({ secret })}
        onSaved={() => {
          setSaved(secret);
          setSecret(newSecret());
        }}
      >
        <p>
          <T k="secret.text" />
        </p>
      </SettingsForm>
      {saved !== null && (
        <section className={parts['note']} data-tone="good" role="status">
          <p>
            <T k="secret.once" />
          </p>
          <pre dir="ltr">{saved}</pre>
          <div className={parts['actions']}>
            <Copy text={saved} />
          </div>
        </section>
      )}
    </>
  );
}
