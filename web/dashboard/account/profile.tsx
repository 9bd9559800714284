import { type ReactNode, useState } from 'react';
import type { Account } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';

export function Profile({ account }: { account: Account }): ReactNode {
  const { time } = useTexts();
  const update = useWrite('updateAccount');
  return (
    <section className={parts['card']}>
      <h2>
        <T k="account.profile" />
      </h2>
      {account.refusedSignIns > 0 && account.lastRefusedSignInAt !== null && (
        <p className={parts['note']} data-tone="warn">
          <T
            k="account.refused"
            values={{ count: account.refusedSignIns, time: time(account.lastRefusedSignInAt) }}
          />
        </p>
      )}
      <Form
        error={update.error}
        onSubmit={(form) => {
          const currentPassword = form.get('currentPassword') as string;
          const body = {
            name: (form.get('name') as string).trim() || null,
            email: (form.get('email') as string).trim(),
            ...(currentPassword !== '' && { currentPassword }),
          };
          update.mutate({ body });
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" kind="first" isPending={update.isPending}>
              <T k="settings.save" />
            </Button>
            <span role="status">{update.isSuccess && <T k="settings.saved" />}</span>
          </div>
        }
      >
        <Field name="name" label="account.name" defaultValue={account.name ?? ''} autoComplete="name" />
        <Field
          name="email"
          label="account.email"
          type="email"
          defaultValue={account.email}
          autoComplete="username"
        />
        <Field
          name="currentPassword"
          label="account.current"
          hint="account.current-hint"
          type="password"
          autoComplete="current-password"
        />
      </Form>
    </section>
  );
}

export function Password(): ReactNode {
  const change = useWrite('changePassword');
  const [made, setMade] = useState(0);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="account.password" />
      </h2>
      <Form
        key={made}
        error={change.error}
        onSubmit={(form) => {
          const body = {
            currentPassword: form.get('currentPassword') as string,
            newPassword: form.get('newPassword') as string,
          };
          // An empty form afterwards: nothing of it is needed again.
          change.mutate({ body }, { onSuccess: () => setMade(made + 1) });
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" kind="first" isPending={change.isPending}>
              <T k="account.change-password" />
            </Button>
            <span role="status">{change.isSuccess && <T k="account.password-changed" />}</span>
          </div>
        }
      >
        <Field
          name="currentPassword"
          label="account.current"
          type="password"
          autoComplete="current-password"
        />
        <Field
          name="newPassword"
          label="account.new-password"
          hint="account.new-password-hint"
          type="password"
          autoComplete="new-password"
        />
      </Form>
    </section>
  );
}
