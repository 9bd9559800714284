import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { PaymentOverview } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Row, Table } from '../parts/table.js';
import { splitNew } from './new-rows.pure.js';
import { useNetworks } from './payments.queries.js';
import { pillOf, whatHappens } from './what.pure.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

interface RowsProps {
  items: readonly PaymentOverview[];
  /** Those of the filter before: others are on their way, or have failed. */
  isOld: boolean;
}

const COLUMNS = [
  { key: 'payments.status', is: 'state' },
  { key: 'payments.order', is: 'title' },
  { key: 'payments.price', is: 'figure' },
  { key: 'money.received', is: 'figure' },
  { key: 'payments.what' },
  { key: 'payments.created' },
] as const;

export function Rows({ items, isOld }: RowsProps): ReactNode {
  const [top, setTop] = useState(items[0]?.id ?? null);
  const { fresh, shown } = splitNew(items, top);
  return (
    <>
      <div role="status">
        {fresh > 0 && (
          <Button onPress={() => setTop(items[0]?.id ?? null)}>
            <T k="payments.new" values={{ count: fresh }} />
          </Button>
        )}
      </div>
      <Table caption="payments.caption" columns={COLUMNS} isOld={isOld}>
        {shown.map((item) => (
          <PaymentRow key={item.id} item={item} />
        ))}
      </Table>
    </>
  );
}

function PaymentRow({ item }: { item: PaymentOverview }): ReactNode {
  const { text, money, locale } = useTexts();
  const { nameOf } = useNetworks();
  const { tone, word } = pillOf(item);
  const [first, ...beside] = whatHappens(item, locale);
  return (
    <Row
      cells={[
        <Pill tone={tone}>
          <T k={word} />
        </Pill>,
        <>
          <Link to={`/payments/${item.id}`}>
            <bdi className={item.reference.length <= 20 ? parts['unbroken'] : undefined}>
              {item.reference}
            </bdi>
          </Link>
          {item.referenceLabel !== item.reference && (
            <div className={parts['hint']}>
              <bdi>{item.referenceLabel}</bdi>
            </div>
          )}
        </>,
        <>
          <Figures>{money(item.amount)}</Figures>
          {item.askedAmount && (
            <div className={parts['hint']}>
              <Figures>{money(item.askedAmount)}</Figures>
            </div>
          )}
        </>,
        <>
          {item.receivedAmount.atomic === '0' ? '—' : <Figures>{money(item.receivedAmount)}</Figures>}
          {item.coin !== null && item.blockchain !== null && (
            <div className={parts['hint']}>
              <bdi>{text('payments.coin-on', { coin: item.coin, network: nameOf(item.blockchain) })}</bdi>
            </div>
          )}
        </>,
        <>
          {first && <T k={first.key} {...(first.values && { values: first.values })} />}
          {beside.map(({ key }) => (
            <div key={key}>
              <T k={key} />
            </div>
          ))}
        </>,
        <When at={item.date} />,
      ]}
    />
  );
}
