import { type ReactNode, useState } from 'react';
import type { NoticeKind, Notices, SaveNotices } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { useApplications } from '../applications/applications.queries.js';
import { LOCALES } from '../i18n/locales.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Pick } from '../parts/field.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';
import { Failure, Loaded } from '../parts/states.js';

const KINDS = ['endpoint', 'attention', 'refund'] as const satisfies readonly NoticeKind[];
const OF_OPERATORS = ['chain', 'backup'] as const satisfies readonly NoticeKind[];

const TEXTS = {
  endpoint: 'notices.endpoint',
  attention: 'notices.attention',
  refund: 'notices.refund',
  chain: 'notices.chain',
  backup: 'notices.backup',
} as const satisfies Record<NoticeKind, string>;

/** Each language in its own words. */
const LANGUAGES = LOCALES.map(
  (locale) => [locale, new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale] as const,
);

/** What the user is told by mail. */
export function NoticesByMail({ isOperator }: { isOperator: boolean }): ReactNode {
  const notices = useRead('getNotices', {});
  return (
    <section className={parts['card']}>
      <h2>
        <T k="notices.title" />
      </h2>
      <Loaded query={notices}>
        {({ data }) =>
          data.available ? (
            <Choices chosen={data} isOperator={isOperator} />
          ) : (
            <p>
              <T k="notices.off" />
            </p>
          )
        }
      </Loaded>
    </section>
  );
}

function Choices({ chosen, isOperator }: { chosen: Notices; isOperator: boolean }): ReactNode {
  const save = useWrite('saveNotices');
  const test = useWrite('sendTestNotice');
  const [language, setLanguage] = useState(chosen.language);
  const [only, setOnly] = useState(chosen.paymentApplicationIds);
  const offered: readonly NoticeKind[] = isOperator ? [...KINDS, ...OF_OPERATORS] : KINDS;
  return (
    <Form
      error={save.error}
      onSubmit={(form) => {
        if (only?.length === 0) return;
        const body: SaveNotices = {
          kinds: offered.filter((kind) => form.has(kind)),
          paymentApplicationIds: only,
          language,
        };
        save.mutate({ body });
      }}
      actions={
        <div className={parts['actions']}>
          <Button type="submit" kind="first" isPending={save.isPending}>
            <T k="settings.save" />
          </Button>
          <Button isPending={test.isPending} onPress={() => test.mutate({})}>
            <T k="notices.send-test" />
          </Button>
          <span role="status">
            {save.isSuccess && <T k="settings.saved" />} {test.isSuccess && <T k="notices.tested" />}
          </span>
          {test.error && <Failure error={test.error} />}
        </div>
      }
    >
      <p>
        <T k="notices.text" />
      </p>
      {offered.map((kind) => (
        <Check key={kind} name={kind} defaultSelected={chosen.kinds.includes(kind)}>
          <T k={TEXTS[kind]} />
        </Check>
      ))}
      <OfApplications only={only} onChange={setOnly} />
      <Pick
        label="notices.language"
        value={language}
        options={LANGUAGES}
        onChange={(value) => setLanguage(value as Notices['language'])}
      />
    </Form>
  );
}

interface OfApplicationsProps {
  /** Null: of all. */
  only: string[] | null;
  onChange: (only: string[] | null) => void;
}

/** Of which applications. Those of other accounts, chosen by the API, stay chosen. */
function OfApplications({ only, onChange }: OfApplicationsProps): ReactNode {
  const { text } = useTexts();
  const applications = useApplications().data?.data ?? [];
  if (only === null && applications.length < 2) return null;
  return (
    <>
      <Pick
        label="notices.applications"
        value={only === null ? 'all' : 'some'}
        options={[
          ['all', text('notices.all-applications')],
          ['some', text('notices.some-applications')],
        ]}
        onChange={(value) => onChange(value === 'all' ? null : [])}
      />
      {only !== null && (
        <fieldset className={parts['field']}>
          <legend>
            <T k="notices.some-applications" />
          </legend>
          {applications.map(({ id, name }) => (
            <Check
              key={id}
              isSelected={only.includes(id)}
              onChange={(isOn) => onChange(isOn ? [...only, id] : only.filter((one) => one !== id))}
            >
              <bdi>{name}</bdi>
            </Check>
          ))}
          <p role="status" className={parts['hint']}>
            {only.length === 0 && <T k="notices.choose-one" />}
          </p>
        </fieldset>
      )}
    </>
  );
}
