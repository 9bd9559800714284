import type { ReactNode } from 'react';
import type { BlockchainDetails, Holding } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { Row, Table } from '../parts/table.js';
import { COLUMNS, type HoldingRow } from './columns.js';
import { useDestinations } from './funds.queries.js';
import { totalsOf } from './holdings.pure.js';

interface HoldingsProps {
  applicationId: string;
  holdings: readonly Holding[];
  networks: readonly BlockchainDetails[];
}

/** What has come in by coin and network, and whose key new payments go to there. */
export function Holdings({ applicationId, holdings, networks }: HoldingsProps): ReactNode {
  const { money } = useTexts();
  const destinations = useDestinations(applicationId).data?.data ?? [];
  const rows = holdings.map((holding): HoldingRow => {
    const network = networks.find(({ slug }) => slug === holding.blockchain);
    return {
      holding,
      network,
      destination: network && destinations.find(({ family }) => family === network.family),
    };
  });
  const totals = totalsOf(holdings, networks);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="holdings.title" />
      </h2>
      <p className={parts['hint']}>
        <T k="holdings.text" />
      </p>
      <Table caption="holdings.title" columns={COLUMNS}>
        {rows.map((row) => (
          <Row
            key={`${row.holding.blockchain} ${row.holding.token?.contractAddress ?? row.holding.currencyCode}`}
            cells={COLUMNS.map(({ key, Cell }) => (
              <Cell key={key} {...row} />
            ))}
          />
        ))}
      </Table>
      {totals.length > 0 && (
        <dl className={parts['sums']}>
          {totals.map((total) => (
            <div key={total.currency.code}>
              <dt>
                <T k="holdings.total" values={{ coin: total.currency.code }} />
              </dt>
              <dd>
                <Figures>{money(total)}</Figures>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
