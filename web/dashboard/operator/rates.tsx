import { type ReactNode, useState } from 'react';
import { useRead } from '../api/use-api.js';
import { localDecimal } from '../i18n/format.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';
import { NO_RATE } from '../payments/payments.queries.js';
import { sourceNames } from './rate-sources.pure.js';

/** Milliseconds. */
const REFRESH_MS = 15_000;

/** What each coin is worth in a currency, in the direction in which prices are quoted, by whom, and how old that is. */
export function Rates(): ReactNode {
  const [currency, setCurrency] = useState('USD');
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
              value={currency}
              options={fiat.map((code) => [code, code] as const)}
              onChange={setCurrency}
            />
            {coins.length > 0 && <Coins currency={currency} coins={coins} />}
          </section>
        );
      }}
    </Loaded>
  );
}

function Coins({ currency, coins }: { currency: string; coins: readonly string[] }): ReactNode {
  const columns = [
    { key: 'rates.coin', is: 'title' },
    { key: 'rates.value', values: { base: currency } },
    { key: 'rates.source' },
    { key: 'rates.fetched' },
  ] as const;
  return (
    <Table caption="operator.rates" columns={columns}>
      {coins.map((coin) => (
        <Coin key={`${currency} ${coin}`} currency={currency} coin={coin} />
      ))}
    </Table>
  );
}

/** Asked for alone: one rate that is missing must not hide the others. */
function Coin({ currency, coin }: { currency: string; coin: string }): ReactNode {
  const { locale } = useTexts();
  const { data, error } = useRead(
    'listRates',
    { query: { base: coin, quote: [currency] } },
    { everyMs: REFRESH_MS },
  );
  const rate = data?.data[0];
  return (
    <Row
      isBusy={!data && !error}
      cells={[
        coin,
        rate && <span className={parts['number']}>{localDecimal(rate.value, locale)}</span>,
        rate && sourceNames(rate.source),
        <>
          {rate && <When at={rate.fetchedAt} />}{' '}
          {(error || rate?.stale === true) && (
            <Pill tone={error ? 'bad' : 'warn'}>
              <T k={!error ? 'rates.stale' : error.status === NO_RATE ? 'rates.none' : 'failure.title'} />
            </Pill>
          )}
        </>,
      ]}
    />
  );
}
