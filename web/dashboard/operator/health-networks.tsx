import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OperatorHealth } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Row, Table } from '../parts/table.js';
import { CHAIN_WORDS } from './chain-words.pure.js';
import { formatPast } from '../i18n/ago.pure.js';
import { sourceNames } from './rate-sources.pure.js';
import { Unknown } from './unknown.js';

const CHAIN_COLUMNS = [
  { key: 'filters.network', is: 'title' },
  { key: 'chain.head' },
  { key: 'health.height', is: 'figure' },
  { key: 'payments.status', is: 'state' },
] as const;

/** How new the newest block of each network is, and the last answer of each source of rates. */
export function HealthNetworks({ health }: { health: OperatorHealth }): ReactNode {
  const { locale } = useTexts();
  const { chains, rates, checkedAt } = health;
  const ago = (iso: string) => formatPast(iso, checkedAt, locale);
  return (
    <>
      <section className={parts['card']}>
        <h2>
          <Link to="/operator/chains">
            <T k="home.chains" />
          </Link>
        </h2>
        {chains.length === 0 ? (
          <p className={parts['note']}>
            <T k="chain.none" />
          </p>
        ) : (
          <Table caption="home.chains" columns={CHAIN_COLUMNS}>
            {chains.map(({ slug, name, state, height, blockTime, unknown, unknownSince }) => (
              <Row
                key={slug}
                cells={[
                  name,
                  unknown !== null || blockTime === null ? (
                    <Unknown reason={unknown} since={unknownSince} />
                  ) : (
                    ago(blockTime)
                  ),
                  height !== null && unknown === null && <span className={parts['number']}>{height}</span>,
                  // A state that was right when somebody looked last says nothing of now.
                  unknown !== null && state === 'ok' ? (
                    <Unknown />
                  ) : (
                    <Pill tone={CHAIN_WORDS[state][0]}>
                      <T k={CHAIN_WORDS[state][1]} />
                    </Pill>
                  ),
                ]}
              />
            ))}
          </Table>
        )}
      </section>
      <section className={parts['card']}>
        <h2>
          <Link to="/operator/rates">
            <T k="operator.rates" />
          </Link>
        </h2>
        <dl className={parts['facts']}>
          {rates.map(({ source, answeredAt, failingSince, unknown }) => (
            <div key={source}>
              <dt>{sourceNames(source)}</dt>
              <dd>
                {unknown === null && answeredAt !== null ? (
                  ago(answeredAt)
                ) : (
                  <Unknown reason={unknown} since={failingSince} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
