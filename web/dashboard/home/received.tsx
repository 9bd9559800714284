import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { decimalOf, type Money } from '../i18n/format.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Chart } from '../reports/chart.js';
import { daysOf } from '../reports/range.pure.js';
import { byPayments, changeOf, compared, type Series, seriesOf, sumOfLast } from '../reports/sums.pure.js';
import { formatChange, formatDay } from '../reports/words.pure.js';
import { DAYS, useLastDays } from './home.queries.js';
import styles from './home.module.css';

/** The last days beside as many before them: as a line in the currency of most payments, as sums in each. */
export function Received(): ReactNode {
  const { time } = useTexts();
  const { range, received } = useLastDays();
  return (
    <section className={parts['card']}>
      <h2>
        <Link to="/reports">
          <T k="money.received" />
        </Link>
      </h2>
      <Loaded query={received} rows={3}>
        {({ data }) => {
          const all = byPayments(seriesOf(data, daysOf(range)));
          const [first] = all;
          return first ? (
            <>
              <Line series={first} />
              <Sums all={all} />
              <p className={parts['hint']}>
                <T k="home.as-of" values={{ time: time(new Date(received.dataUpdatedAt).toISOString()) }} />
              </p>
            </>
          ) : (
            <p className={parts['hint']}>
              <T k="home.received-none" values={{ days: 2 * DAYS }} />
            </p>
          );
        }}
      </Loaded>
    </section>
  );
}

function Line({ series }: { series: Series }): ReactNode {
  const { text, money, locale } = useTexts();
  const { now, before } = compared(series, DAYS);
  const [total, last] = [sumOfLast(now, DAYS), sumOfLast(before, DAYS)];
  const [from, to] = [now.days[0]?.day, now.days.at(-1)?.day];
  if (!total || !last || from === undefined || to === undefined) return null;
  const change = changeOf(total, last);
  const names = [text('home.last-days', { days: DAYS }), text('home.before', { days: DAYS })] as const;
  const earlier = (index: number) => before.days[index]?.credited;
  const moneyOf = (sum: Money | undefined) => (sum ? money(sum) : '');
  return (
    <>
      <p className={styles['figure']}>
        <Figures>{money(total)}</Figures>
      </p>
      <Chart
        name={`received-${series.currencyCode}-${from}-${to}`}
        sentence={
          change === null
            ? text('home.no-before', { days: DAYS })
            : text('home.change', { change: formatChange(change, locale), days: DAYS, before: money(last) })
        }
        points={now.days.map(({ day, credited }) => ({
          value: BigInt(credited.atomic),
          label: `${formatDay(day, locale)}: ${money(credited)}`,
        }))}
        before={{ values: before.days.map(({ credited }) => BigInt(credited.atomic)), names }}
        scale={(value) => money({ ...total, atomic: String(value) })}
        ends={[formatDay(from, locale), text('home.today')]}
        table={{
          caption: `${text('money.received')}, ${series.currencyCode}`,
          columns: [text('report.day'), text('money.received'), names[1]],
          rows: now.days.map(({ day, credited }, index) => [
            formatDay(day, locale),
            money(credited),
            moneyOf(earlier(index)),
          ]),
          file: {
            rows: now.days.map(({ day, credited }, index) => [
              day,
              ...[credited, earlier(index)].map((sum) => (sum ? decimalOf(sum.atomic, sum.decimals) : '')),
            ]),
          },
        }}
      />
    </>
  );
}

/** Sums of different currencies are never added. */
function Sums({ all }: { all: readonly Series[] }): ReactNode {
  const { text, money } = useTexts();
  const columns = [
    ...[1, 7, DAYS].map((days) => ({
      name: days === 1 ? text('home.today') : text('home.last-days', { days }),
      sumOf: (series: Series) => sumOfLast(series, days),
    })),
    {
      name: text('home.before', { days: DAYS }),
      sumOf: (series: Series) => sumOfLast(compared(series, DAYS).before, DAYS),
    },
  ];
  return (
    <table className={styles['sums']}>
      <thead>
        <tr>
          <th scope="col">
            <T k="filters.currency" />
          </th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((series) => (
          <tr key={series.currencyCode}>
            <th scope="row">{series.currencyCode}</th>
            {columns.map(({ name, sumOf }) => {
              const sum = sumOf(series);
              return (
                <td key={name} data-column={name}>
                  {sum && <Figures>{money(sum)}</Figures>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
