import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { readersLocale } from '../parts/export.pure.js';
import { save } from '../parts/export.js';
import parts from '../parts/parts.module.css';
import styles from './reports.module.css';
import { Figures } from '../parts/figures.js';
import { tableFile } from './table-file.pure.js';

export interface TableData {
  caption: string;
  columns: readonly string[];
  /** As they are read. The first cell names the row. */
  rows: readonly (readonly string[])[];
  /** Of the file: amounts as exact decimals, each with its currency in a column of its own, and days as `YYYY-MM-DD`. */
  file?: { columns?: readonly string[]; rows: readonly (readonly string[])[] };
}

/** A longer table scrolls in a window of its own. */
const LONGEST_IN_FULL = 12;

/** A table that can be read, copied, and saved. @param name of the file, without its ending */
export function DataTable({
  caption,
  columns,
  rows,
  file = { rows },
  name,
}: TableData & { name: string }): ReactNode {
  const { locale } = useTexts();
  const saved = () =>
    tableFile(file.columns ?? columns, file.rows, readersLocale(locale, navigator.languages));
  return (
    <>
      <div
        className={styles['rows']}
        data-long={rows.length > LONGEST_IN_FULL || undefined}
        role="region"
        aria-label={caption}
        tabIndex={0}
      >
        <table className={parts['table']}>
          <caption className={parts['unseen']}>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} scope="col" className={index > 0 ? parts['end'] : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) =>
                  column === 0 ? (
                    <th key={column} scope="row">
                      <bdi>{cell}</bdi>
                    </th>
                  ) : (
                    <td key={column} className={parts['end']} data-column={columns[column]}>
                      <bdi>
                        <Figures>{cell}</Figures>
                      </bdi>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={parts['actions']}>
        <Button onPress={() => save(new Blob([saved()], { type: 'text/csv' }), `${name}.csv`)}>
          <T k="report.csv" />
        </Button>
      </div>
    </>
  );
}
