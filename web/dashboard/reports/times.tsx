import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Chart } from './chart.js';
import { daysOf, type ReportRange } from './range.pure.js';
import { useTimes } from './reports.queries.js';
import { formatDay, formatDuration } from './words.pure.js';

/** How long payments took, by the day of their creation. */
export function Times({ range }: { range: ReportRange }): ReactNode {
  const { text, locale } = useTexts();
  const times = useTimes(range);
  const duration = (seconds: number | undefined) =>
    seconds === undefined ? '–' : formatDuration(seconds, locale);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="report.times" />
      </h2>
      <Loaded query={times}>
        {({ data }) => {
          const rows = data.filter(({ seen }) => seen > 0);
          const slowest = rows.reduce(
            (most, { secondsToSeen }) => Math.max(most, secondsToSeen?.p50 ?? 0),
            0,
          );
          const byDay = new Map(rows.map((row) => [row.day, row]));
          if (rows.length === 0)
            return (
              <p className={parts['note']}>
                <T k="report.none" />
              </p>
            );
          return (
            <Chart
              name={`times-${range.from}-${range.to}`}
              sentence={text('report.times-trend', { longest: duration(slowest) })}
              scale={(seconds) => duration(Number(seconds))}
              ends={[formatDay(range.from, locale), formatDay(range.to, locale)]}
              points={daysOf(range).map((day) => {
                const seconds = byDay.get(day)?.secondsToSeen?.p50;
                return {
                  value: BigInt(seconds ?? 0),
                  label: `${formatDay(day, locale)}: ${duration(seconds)}`,
                };
              })}
              table={{
                caption: text('report.times'),
                columns: [
                  text('report.day'),
                  text('report.seen-half'),
                  text('report.seen-most'),
                  text('report.final-half'),
                  text('report.final-most'),
                ],
                rows: rows.map(({ day, secondsToSeen, secondsToFinal }) => [
                  formatDay(day ?? range.from, locale),
                  duration(secondsToSeen?.p50),
                  duration(secondsToSeen?.p95),
                  duration(secondsToFinal?.p50),
                  duration(secondsToFinal?.p95),
                ]),
                file: {
                  rows: rows.map(({ day, secondsToSeen, secondsToFinal }) => [
                    day ?? '',
                    ...[secondsToSeen?.p50, secondsToSeen?.p95, secondsToFinal?.p50, secondsToFinal?.p95].map(
                      (seconds) => String(seconds ?? ''),
                    ),
                  ]),
                },
              }}
            />
          );
        }}
      </Loaded>
    </section>
  );
}
