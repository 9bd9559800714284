import { type ReactNode, useState } from 'react';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';

/** Milliseconds. */
const REFRESH_MS = 15_000;

/** What a unit of a currency is worth in each coin, where that comes from, and how old it is. */
export function Rates(): ReactNode {
  const [base, setBase] = useState('USD');
  const currencies = useRead('listCurrencies', {});
  return (
    <Loaded query={currencies}>
      {({ data }) => {
        const enabled = data.filter((one) => one.enabled);
        const fiat = enabled.filter(({ type }) => type === 'fiat').map(({ code }) => code);
        const coins = enabled.filter(({ type }) => type === 'crypto').map(({ code }) => code);
        return (
          <section className={parts['card']}>
            <Pick
              label="rates.base"
              value={base}
              options={fiat.map((code) => [code, code] as const)}
              onChange={setBase}
            />
            {coins.length > 0 && <Coins base={base} coins={coins} />}
          </section>
        );
      }}
    </Loaded>
  );
}

function Coins({ base, coins }: { base: string; coins: readonly string[] }): ReactNode {
  const columns = [
    { key: 'rates.coin', is: 'title' },
    { key: 'rates.value', values: { base } },
    { key: 'rates.source' },
    { key: 'rates.fetched' },
  ] as const;
  return (
    <Table caption="operator.rates" columns={columns}>
      {coins.map((coin) => (
        <Coin key={`${base} ${coin}`} base={base} coin={coin} />
      ))}
    </Table>
  );
}

/** Asked for alone: one rate that is missing must not hide the others. */
function Coin({ base, coin }: { base: string; coin: string }): ReactNode {
  const { time } = useTexts();
  const { data, error } = useRead('listRates', { query: { base, quote: [coin] } }, { everyMs: REFRESH_MS });
  const rate = data?.data[0];
  return (
    <Row
      isBusy={!data && !error}
      cells={[
        coin,
        rate && <span className={parts['number']}>{rate.value}</span>,
        rate?.source,
        <>
          {rate && time(rate.fetchedAt)}{' '}
          {(error || rate?.stale === true) && (
            <Pill tone={error ? 'bad' : 'warn'}>
              <T k={error ? 'rates.none' : 'rates.stale'} />
            </Pill>
          )}
        </>,
      ]}
    />
  );
}
