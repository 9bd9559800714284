import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import { barsOf } from './chart.pure.js';
import { DataTable, type TableData } from './data-table.js';
import styles from './reports.module.css';
import { Figures } from '../parts/figures.js';

const WIDTH = 600;
const HEIGHT = 120;

interface ChartProps {
  /** What the picture says, in a sentence. */
  sentence: string;
  points: readonly { value: bigint; label: string }[];
  table: TableData;
  /** Of the file, without its ending. */
  name: string;
}

/** Bars, and the same as a table for those who cannot see them or want to copy the numbers. */
export function Chart({ sentence, points, table, name }: ChartProps): ReactNode {
  const bars = barsOf(
    points.map(({ value }) => value),
    WIDTH,
    HEIGHT,
  );
  return (
    <figure>
      <svg
        className={styles['chart']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={sentence}
      >
        {bars.map((bar, index) => (
          <rect key={index} {...bar}>
            <title>{points[index]?.label}</title>
          </rect>
        ))}
      </svg>
      <figcaption className={styles['sentence']}>
        <Figures>{sentence}</Figures>
      </figcaption>
      <details>
        <summary>
          <T k="report.table" />
        </summary>
        <DataTable {...table} name={name} />
      </details>
    </figure>
  );
}
