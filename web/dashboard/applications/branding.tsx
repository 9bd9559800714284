import { type ReactNode, useState } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { LOCALES } from '../i18n/locales.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field, Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { SettingsForm, textOrNull } from './settings-form.js';

/** Of the API, in bytes. */
const MAX_LOGO_BYTES = 65_536;

export function Branding({ application }: { application: PaymentApplication }): ReactNode {
  const { text } = useTexts();
  const [language, setLanguage] = useState<string>(application.defaultLanguage ?? '');
  return (
    <>
      <SettingsForm
        application={application}
        title="tab.branding"
        read={(form) => ({
          accent: textOrNull(form, 'accent'),
          supportUrl: textOrNull(form, 'supportUrl'),
          defaultLanguage: LOCALES.find((one) => one === language) ?? null,
        })}
      >
        <Field
          name="accent"
          label="branding.accent"
          hint="branding.accent-hint"
          defaultValue={application.accent ?? ''}
          maxLength={7}
        />
        <Field
          name="supportUrl"
          label="branding.support"
          hint="branding.support-hint"
          defaultValue={application.supportUrl ?? ''}
        />
        <Pick
          label="branding.language"
          value={language}
          options={[
            ['', text('branding.no-language')],
            ...LOCALES.map(
              (one) => [one, new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one] as const,
            ),
          ]}
          onChange={setLanguage}
        />
      </SettingsForm>
      <Logo application={application} />
    </>
  );
}

function Logo({ application }: { application: PaymentApplication }): ReactNode {
  const { text } = useTexts();
  const put = useWrite('putApplicationLogo');
  const remove = useWrite('deleteApplicationLogo');
  const [isTooLarge, setTooLarge] = useState(false);
  const path = { id: application.id };
  const send = async (file: File) => {
    setTooLarge(file.size > MAX_LOGO_BYTES);
    if (file.size > MAX_LOGO_BYTES) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    put.mutate({
      path,
      body: { content: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) },
    });
  };
  return (
    <section className={parts['card']}>
      <h2>
        <T k="branding.logo" />
      </h2>
      {application.paymentAppImage && (
        <p>
          <img
            src={new URL(application.paymentAppImage.url).pathname}
            alt={text('branding.logo')}
            height="48"
          />
        </p>
      )}
      <Allowed to="putApplicationLogo" isExplained>
        <label className={parts['field']}>
          <span>
            <T k="branding.logo-hint" />
          </span>
          <input
            type="file"
            accept="image/png,image/svg+xml"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) void send(file);
            }}
          />
        </label>
      </Allowed>
      {isTooLarge && (
        <p role="alert" className={parts['wrong']}>
          <T k="branding.logo-large" />
        </p>
      )}
      {put.error && <Failure error={put.error} />}
      {remove.error && <Failure error={remove.error} />}
      {application.paymentAppImage && (
        <Allowed to="deleteApplicationLogo">
          <Button kind="danger" isPending={remove.isPending} onPress={() => remove.mutate({ path })}>
            <T k="branding.logo-remove" />
          </Button>
        </Allowed>
      )}
    </section>
  );
}
