import { type ReactNode, useState } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Check, Copy, Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { findBps, percentOf, WHOLE_BPS } from './percent.pure.js';
import { Remove } from './remove.js';
import { SettingsForm, textOrNull } from './settings-form.js';

/** Hundredths of a percent: nothing at all is never accepted. */
const LEAST_BPS = { underpayLeastShareBps: 1, underpayToleranceBps: 0 };

export function General({ application }: { application: PaymentApplication }): ReactNode {
  const { site } = application;
  const { text, locale } = useTexts();
  const [isUnderpayAllowed, setUnderpayAllowed] = useState(site.setting.allowUnderpay);
  // A field that cannot be written in is not in the form: what is stored stays.
  const bpsIn = (form: FormData, name: 'underpayLeastShareBps' | 'underpayToleranceBps') => {
    const written = form.get(name) as string | null;
    return written === null ? site.setting[name] : findBps(written, LEAST_BPS[name], locale);
  };
  const refuse = (form: FormData): Record<string, string[]> => {
    const least = bpsIn(form, 'underpayLeastShareBps');
    const tolerance = bpsIn(form, 'underpayToleranceBps');
    const wrong = (from: number) => [text('applications.percent-wrong', { from: percentOf(from, locale) })];
    const most = WHOLE_BPS - (least ?? 0);
    return {
      ...(least === null && { underpayLeastShareBps: wrong(LEAST_BPS.underpayLeastShareBps) }),
      ...(tolerance === null && { underpayToleranceBps: wrong(LEAST_BPS.underpayToleranceBps) }),
      ...(least !== null &&
        tolerance !== null &&
        tolerance > most && {
          underpayToleranceBps: [text('applications.tolerance-most', { most: percentOf(most, locale) })],
        }),
    };
  };
  return (
    <>
      <SettingsForm
        application={application}
        title="tab.general"
        refuse={refuse}
        read={(form) => ({
          name: (form.get('name') as string).trim(),
          url: textOrNull(form, 'url'),
          callbackUrl: textOrNull(form, 'callbackUrl'),
          allowUnderpay: form.has('allowUnderpay'),
          underpayLeastShareBps: bpsIn(form, 'underpayLeastShareBps') ?? site.setting.underpayLeastShareBps,
          underpayToleranceBps: bpsIn(form, 'underpayToleranceBps') ?? site.setting.underpayToleranceBps,
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
        <Check
          name="allowUnderpay"
          value="true"
          defaultSelected={site.setting.allowUnderpay}
          onChange={setUnderpayAllowed}
        >
          <T k="applications.underpay" />
        </Check>
        <Field
          name="underpayLeastShareBps"
          label="applications.underpay-least"
          hint="applications.underpay-least-hint"
          inputMode="decimal"
          isDisabled={!isUnderpayAllowed}
          defaultValue={percentOf(site.setting.underpayLeastShareBps, locale)}
        />
        <Field
          name="underpayToleranceBps"
          label="applications.underpay-tolerance"
          hint="applications.underpay-tolerance-hint"
          inputMode="decimal"
          defaultValue={percentOf(site.setting.underpayToleranceBps, locale)}
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
