import type { ReactNode } from 'react';
import type { Currency, PaymentApplication } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Check, Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { readConfirmations } from './confirmations.pure.js';
import { SettingsForm } from './settings-form.js';

/** Which coins customers may pay with, and after how many blocks money counts. */
export function Methods({ application }: { application: PaymentApplication }): ReactNode {
  return (
    <>
      <Coins application={application} />
      <Confirmations application={application} />
    </>
  );
}

function Coins({ application }: { application: PaymentApplication }): ReactNode {
  const currencies = useRead('listCurrencies', { query: { type: 'crypto' } });
  const { text } = useTexts();
  const { currencyWhitelist: allowed } = application;
  const shownOf = (coins: readonly Currency[]) =>
    coins.filter(({ code, enabled }) => enabled || allowed.includes(code));
  return (
    <Loaded query={currencies}>
      {({ data }) => (
        <SettingsForm
          application={application}
          title="methods.coins"
          read={(form) => {
            const chosen = form.getAll('currencyWhitelist') as string[];
            // All means also those that the gateway accepts later.
            return { currencyWhitelist: chosen.length === shownOf(data).length ? [] : chosen };
          }}
          refuse={(form) => (form.has('currencyWhitelist') ? {} : { coins: [text('methods.coins-none')] })}
        >
          <p className={parts['hint']}>
            <T k="methods.coins-text" />
          </p>
          {shownOf(data).map(({ code, name }) => (
            <Check
              key={code}
              name="currencyWhitelist"
              value={code}
              defaultSelected={allowed.length === 0 || allowed.includes(code)}
            >
              {name} <code>{code}</code>
            </Check>
          ))}
        </SettingsForm>
      )}
    </Loaded>
  );
}

function Confirmations({ application }: { application: PaymentApplication }): ReactNode {
  const blockchains = useRead('listBlockchains', {});
  const { confirmations } = application.site.setting;
  return (
    <Loaded query={blockchains}>
      {({ data }) => {
        const shown = data.filter(({ enabled, slug }) => enabled || Object.hasOwn(confirmations, slug));
        return (
          <SettingsForm
            application={application}
            title="methods.confirmations"
            read={(form) => ({
              confirmations: readConfirmations(
                shown.map(({ slug }) => [slug, form.get(`confirmations.${slug}`) as string] as const),
              ),
            })}
          >
            <p className={parts['hint']}>
              <T k="methods.confirmations-text" />
            </p>
            {shown.map(({ slug, name, confirmationsRequired }) => (
              <Field
                key={slug}
                name={`confirmations.${slug}`}
                label="methods.blocks"
                labelValues={{ name, usual: confirmationsRequired }}
                inputMode="numeric"
                defaultValue={String(confirmations[slug] ?? '')}
              />
            ))}
          </SettingsForm>
        );
      }}
    </Loaded>
  );
}
