import type { ReactNode } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { T } from '../i18n/text.js';
import { Check, Copy, Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { bpsOf, percentOf } from './percent.pure.js';
import { Remove } from './remove.js';
import { SettingsForm, textOrNull } from './settings-form.js';

export function General({ application }: { application: PaymentApplication }): ReactNode {
  const { site } = application;
  return (
    <>
      <SettingsForm
        application={application}
        title="tab.general"
        read={(form) => ({
          name: (form.get('name') as string).trim(),
          url: textOrNull(form, 'url'),
          callbackUrl: textOrNull(form, 'callbackUrl'),
          allowUnderpay: form.has('allowUnderpay'),
          underpayLeastShareBps: bpsOf(form.get('underpayLeastShareBps') as string),
          underpayToleranceBps: bpsOf(form.get('underpayToleranceBps') as string),
          allowOverpay: form.has('allowOverpay'),
        })}
      >
        <Field
          name="name"
          label="applications.name"
          defaultValue={application.name}
          isRequired
          maxLength={255}
        />
        <Field name="url" label="applications.url" type="url" defaultValue={site.url ?? ''} />
        <Field
          name="callbackUrl"
          label="applications.callback"
          hint="applications.callback-hint"
          type="url"
          defaultValue={site.callbackUrl ?? ''}
        />
        <Check name="allowUnderpay" value="true" defaultSelected={site.setting.allowUnderpay}>
          <T k="applications.underpay" />
        </Check>
        <Field
          name="underpayLeastShareBps"
          label="applications.underpay-least"
          hint="applications.underpay-least-hint"
          inputMode="decimal"
          defaultValue={percentOf(site.setting.underpayLeastShareBps)}
        />
        <Field
          name="underpayToleranceBps"
          label="applications.underpay-tolerance"
          hint="applications.underpay-tolerance-hint"
          inputMode="decimal"
          defaultValue={percentOf(site.setting.underpayToleranceBps)}
        />
        <Check name="allowOverpay" value="true" defaultSelected={site.setting.allowOverpay}>
          <T k="applications.overpay" />
        </Check>
      </SettingsForm>
      <section className={parts['card']}>
        <h2>
          <T k="applications.client-id" />
        </h2>
        <p className={parts['hint']}>
          <T k="applications.client-id-hint" />
        </p>
        <pre dir="ltr">{application.clientId}</pre>
        <div className={parts['actions']}>
          <Copy text={application.clientId} />
        </div>
      </section>
      <Remove application={application} />
    </>
  );
}
