import { type ReactNode, useId, useState } from 'react';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Language, useFile, zone } from '../parts/export.js';
import { readersLocale } from '../parts/export.pure.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { monthBefore } from './range.pure.js';
import styles from './reports.module.css';

/** What a bookkeeper takes along. @param today `YYYY-MM-DD` */
export function Month({ today }: { today: string }): ReactNode {
  const { locale } = useTexts();
  const [month, setMonth] = useState(monthBefore(today));
  const [language, setLanguage] = useState<string>(locale);
  const id = useId();
  const file = useFile('reportMonth');
  const ask = (format: 'xlsx' | 'csv') => {
    const query = { month, format, locale: readersLocale(language, navigator.languages), timeZone: zone() };
    file.mutate({ query, name: `${month}.${format}` });
  };
  return (
    <section className={parts['card']}>
      <h2>
        <T k="report.month" />
      </h2>
      <p className={parts['note']}>
        <T k="report.month-note" />
      </p>
      <div className={styles['range']}>
        <div className={parts['field']}>
          <label htmlFor={id}>
            <T k="report.month-of" />
          </label>
          <input
            id={id}
            type="month"
            required
            max={today.slice(0, 7)}
            value={month}
            onChange={({ target }) => setMonth(target.value)}
          />
        </div>
        <Language value={language} onChange={setLanguage} />
      </div>
      {file.error && <Failure error={file.error} />}
      <p role="status">{file.isSuccess && <T k="export.done" />}</p>
      <div className={parts['actions']}>
        <Button kind="first" isPending={file.isPending} isDisabled={month === ''} onPress={() => ask('xlsx')}>
          <T k="export.xlsx" />
        </Button>
        <Button isDisabled={file.isPending || month === ''} onPress={() => ask('csv')}>
          <T k="export.csv" />
        </Button>
      </div>
    </section>
  );
}
