import { type ReactNode, useId } from 'react';
import { useSearchParams } from 'react-router';
import { decimalOf } from '../i18n/format.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Chips } from '../parts/chips.js';
import { Export } from '../parts/export.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Screen } from '../shell/screen.js';
import { Chart } from './chart.js';
import { peakOf } from './chart.pure.js';
import { DataTable } from './data-table.js';
import { Month } from './month.js';
import {
  daysOf,
  isDay,
  localDay,
  presetsOf,
  readRange,
  type ReportRange,
  spanOf,
  SPLITS,
  writeRange,
} from './range.pure.js';
import { useNames, useRates, useReceived, useSplit } from './reports.queries.js';
import styles from './reports.module.css';
import { type Series, seriesOf, sumOfLast } from './sums.pure.js';
import { Times } from './times.js';
import { formatDay, formatShare } from './words.pure.js';

const OUTCOMES = [
  ['completed', 'status.confirmed'],
  ['refunded', 'status.refund'],
  ['underpaid', 'status.underpaid'],
  ['expired', 'status.expired'],
  ['cancelled', 'status.cancelled'],
  ['failed', 'status.error'],
  ['open', 'status.open'],
] as const satisfies readonly (readonly [string, MessageKey])[];

const MONTHS = { 'this-month': 'report.this-month', 'last-month': 'report.last-month' } as const;

export default function Reports(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const today = localDay(new Date());
  const range = readRange(query, today);
  const change = (changes: Partial<ReportRange>) =>
    setQuery(writeRange(readRange(writeRange({ ...range, ...changes }), today)));
  return (
    <Screen
      title={text('nav.reports')}
      aside={
        <Export id="exportTransfers" name="transfers" query={daysFromTo(range)}>
          <T k="export.transfers" />
        </Export>
      }
    >
      <Chips label="report.presets">
        {presetsOf(today).map(({ name, from, to }) => (
          <button
            key={name}
            type="button"
            aria-pressed={range.from === from && range.to === to}
            onClick={() => change({ from, to })}
          >
            <T
              {...(typeof name === 'number'
                ? { k: 'home.last-days' as const, values: { days: name } }
                : { k: MONTHS[name] })}
            />
          </button>
        ))}
      </Chips>
      <div className={styles['range']}>
        <Day label="report.from" day={range.from} max={range.to} onChange={(from) => change({ from })} />
        <Day label="report.to" day={range.to} max={today} onChange={(to) => change({ to })} />
      </div>
      <div className={parts['stack']}>
        <Received range={range} />
        <Split range={range} onChange={(split) => change({ split })} />
        <Times range={range} />
        <Rates range={range} />
        <Month today={today} />
      </div>
    </Screen>
  );
}

/** The end of an export is inclusive. */
function daysFromTo(range: ReportRange): { from: string; to: string } {
  const { from, to } = spanOf(range);
  return { from, to: new Date(Date.parse(to) - 1).toISOString() };
}

interface DayProps {
  label: MessageKey;
  day: string;
  max: string;
  onChange: (day: string) => void;
}

/** The browser's own control, which speaks the reader's language and calendar. */
function Day({ label, day, max, onChange }: DayProps): ReactNode {
  const id = useId();
  return (
    <div className={parts['field']}>
      <label htmlFor={id}>
        <T k={label} />
      </label>
      <input
        id={id}
        key={day}
        type="date"
        max={max}
        defaultValue={day}
        onChange={({ target }) => isDay(target.value) && target.value <= max && onChange(target.value)}
      />
    </div>
  );
}

function Received({ range }: { range: ReportRange }): ReactNode {
  const received = useReceived(range);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="money.received" />
      </h2>
      <Loaded query={received}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing />
          ) : (
            <div className={parts['stack']}>
              {seriesOf(data, daysOf(range)).map((series) => (
                <OneCurrency key={series.currencyCode} series={series} range={range} />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

function OneCurrency({ series, range }: { series: Series; range: ReportRange }): ReactNode {
  const { text, money, locale } = useTexts();
  const { currencyCode, days } = series;
  const values = days.map(({ credited }) => BigInt(credited.atomic));
  const peak = days[peakOf(values) ?? 0];
  const total = sumOfLast(series, days.length);
  if (!peak || !total) return null;
  return (
    <Chart
      name={`received-${currencyCode}-${range.from}-${range.to}`}
      sentence={text('report.trend', {
        total: money(total),
        day: formatDay(peak.day, locale),
        peak: money(peak.credited),
      })}
      scale={(value) => money({ ...total, atomic: String(value) })}
      ends={[formatDay(range.from, locale), formatDay(range.to, locale)]}
      points={days.map(({ day, credited }, index) => ({
        value: values[index] ?? 0n,
        label: `${formatDay(day, locale)}: ${money(credited)}`,
      }))}
      table={{
        caption: `${text('money.received')}, ${currencyCode}`,
        columns: [text('report.day'), text('money.received'), text('nav.payments')],
        rows: days.map(({ day, credited, payments }) => [
          formatDay(day, locale),
          money(credited),
          String(payments),
        ]),
        file: {
          rows: days.map(({ day, credited, payments }) => [
            day,
            decimalOf(credited.atomic, credited.decimals),
            String(payments),
          ]),
        },
      }}
    />
  );
}

interface SplitProps {
  range: ReportRange;
  onChange: (split: ReportRange['split']) => void;
}

function Split({ range, onChange }: SplitProps): ReactNode {
  const { text, money } = useTexts();
  const rows = useSplit(range);
  const names = useNames();
  const { split } = range;
  const words = { blockchain: text('filters.network'), application: text('payments.application') };
  return (
    <section className={parts['card']}>
      <Pick
        label="report.split"
        value={split}
        options={SPLITS.map((one) => [one, words[one]])}
        onChange={(value) => onChange(SPLITS.find((one) => one === value) ?? 'blockchain')}
      />
      <Loaded query={rows}>
        {({ data }) => {
          const idOf = ({ blockchain, paymentApplicationId }: (typeof data)[number]) =>
            (split === 'blockchain' ? blockchain : paymentApplicationId) ?? '';
          const nameOf = (id: string) => (names[split].get(id) ?? id) || '–';
          if (data.length === 0) return <Nothing />;
          return (
            <DataTable
              name={`received-by-${split}-${range.from}-${range.to}`}
              caption={`${text('money.received')}: ${words[split]}`}
              columns={[words[split], text('money.received'), text('report.in-coin'), text('nav.payments')]}
              rows={data.map((row) => [
                nameOf(idOf(row)),
                money(row.credited),
                row.received ? money(row.received) : '–',
                String(row.payments),
              ])}
              file={{
                columns: [
                  words[split],
                  text('money.received'),
                  text('rates.base'),
                  text('report.in-coin'),
                  text('rates.coin'),
                  text('nav.payments'),
                ],
                rows: data.map((row) => [
                  nameOf(idOf(row)),
                  decimalOf(row.credited.atomic, row.credited.decimals),
                  row.currencyCode,
                  row.received ? decimalOf(row.received.atomic, row.received.decimals) : '',
                  row.received?.currency.code ?? '',
                  String(row.payments),
                ]),
              }}
            />
          );
        }}
      </Loaded>
    </section>
  );
}

function Rates({ range }: { range: ReportRange }): ReactNode {
  const { text, locale } = useTexts();
  const rates = useRates(range);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="report.rates" />
      </h2>
      <Loaded query={rates}>
        {({ data: [row] }) =>
          row ? (
            <DataTable
              name={`outcomes-${range.from}-${range.to}`}
              caption={text('report.rates')}
              columns={[text('payments.status'), text('nav.payments'), text('report.share')]}
              rows={OUTCOMES.map(([outcome, word]) => [
                text(word),
                String(row.counts[outcome]),
                formatShare(row.shares[outcome], locale),
              ])}
              file={{
                rows: OUTCOMES.map(([outcome, word]) => [
                  text(word),
                  String(row.counts[outcome]),
                  String(row.shares[outcome]),
                ]),
              }}
            />
          ) : (
            <Nothing />
          )
        }
      </Loaded>
    </section>
  );
}

function Nothing(): ReactNode {
  return (
    <p className={parts['note']}>
      <T k="report.none" />
    </p>
  );
}
