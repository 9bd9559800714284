import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import { axisOf, barsOf, lineOf } from './chart.pure.js';
import { DataTable, type TableData } from './data-table.js';
import styles from './reports.module.css';
import { Figures } from '../parts/figures.js';

const WIDTH = 600;
const HEIGHT = 120;

interface ChartProps {
  /** What the picture says, in a sentence. */
  sentence: string;
  points: readonly { value: bigint; label: string }[];
  /** Of the same number of days before; with it both are lines, else there are bars. */
  before?: { values: readonly bigint[]; names: readonly [now: string, before: string] };
  /** A value beside the axis. */
  scale: (value: bigint) => string;
  /** The first and the last day. */
  ends: readonly [first: string, last: string];
  table: TableData;
  /** Of the file, without its ending. */
  name: string;
}

/** A picture with an axis, and the same as a table for those who cannot see it or want to copy the numbers. */
export function Chart({ sentence, points, before, scale, ends, table, name }: ChartProps): ReactNode {
  const values = points.map(({ value }) => value);
  const axis = axisOf([...values, ...(before?.values ?? [])]);
  const top = axis.at(-1) ?? 0n;
  return (
    <figure>
      <div className={styles['plot']}>
        <div className={styles['axis']} aria-hidden="true">
          {axis.toReversed().map((value) => (
            <bdi key={String(value)}>
              <Figures>{scale(value)}</Figures>
            </bdi>
          ))}
        </div>
        <svg
          className={styles['chart']}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={sentence}
        >
          {axis.slice(1).map((value) => {
            const y = lineOf([value], top, WIDTH, HEIGHT).split(',')[1];
            return <line key={String(value)} x2={WIDTH} y1={y} y2={y} />;
          })}
          {before ? (
            <>
              <polyline data-is="before" points={lineOf(before.values, top, WIDTH, HEIGHT)} />
              <polyline points={lineOf(values, top, WIDTH, HEIGHT)} />
            </>
          ) : (
            barsOf(values, top, WIDTH, HEIGHT).map((bar, index) => (
              <rect key={index} {...bar}>
                <title>{points[index]?.label}</title>
              </rect>
            ))
          )}
        </svg>
        <div className={styles['ends']} aria-hidden="true">
          <bdi>{ends[0]}</bdi>
          <bdi>{ends[1]}</bdi>
        </div>
      </div>
      {before && (
        <p className={styles['legend']} aria-hidden="true">
          <Key name={before.names[0]} />
          <Key name={before.names[1]} isBefore />
        </p>
      )}
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

function Key({ name, isBefore = false }: { name: string; isBefore?: boolean }): ReactNode {
  return (
    <span>
      <svg viewBox="0 0 20 8">
        <polyline points="0,4 20,4" {...(isBefore && { 'data-is': 'before' })} />
      </svg>
      {name}
    </span>
  );
}
