import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import { csvLine } from '../../../src/platform/kernel/csv.pure.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import parts from '../parts/parts.module.css';
import styles from './reports.module.css';
import { Figures } from '../parts/figures.js';

export interface TableData {
  caption: string;
  columns: readonly string[];
  /** As they are read. The first cell names the row. */
  rows: readonly (readonly string[])[];
  /** As a program reads them; without: the same. */
  plain?: readonly (readonly string[])[];
}

/** A table that can be read, copied, and saved. @param name of the file, without its ending */
export function DataTable({
  caption,
  columns,
  rows,
  plain = rows,
  name,
}: TableData & { name: string }): ReactNode {
  return (
    <>
      <div className={styles['scroll']} role="region" aria-label={caption} tabIndex={0}>
        <table className={styles['data']}>
          <caption className={parts['unseen']}>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
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
                    <td key={column}>
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
        <Button onPress={() => save(csvFile([columns, ...plain]), `${name}.csv`)}>
          <T k="report.csv" />
        </Button>
      </div>
    </>
  );
}

/** The mark at the start makes spreadsheets read UTF-8. */
function csvFile(rows: readonly (readonly string[])[]): Blob {
  return new Blob([`\u{feff}${rows.map(csvLine).join('')}`], { type: 'text/csv' });
}
