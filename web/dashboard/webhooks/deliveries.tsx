import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Operations, WebhookDeliverySummary } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { useApplications } from '../applications/applications.queries.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Export } from '../parts/export.js';
import { Field, Pick } from '../parts/field.js';
import { Find } from '../parts/find.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';
import { Screen } from '../shell/screen.js';
import { deliveryExport, deliveryFilters } from './delivery-filters.pure.js';
import { Answer } from './delivery-table.js';
import { DELIVERY_WORDS } from './delivery-words.pure.js';

type Status = NonNullable<NonNullable<Operations['listAllWebhookDeliveries']['query']>['status']>;

/** Webhooks of all applications. The filters are the address. */
export default function Deliveries(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const deliveries = useRead('listAllWebhookDeliveries', { query: deliveryFilters(query) });
  const applications = useApplications();
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    // Another filter begins with the newest again.
    next.delete('after');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next);
  };
  const statuses = Object.keys(DELIVERY_WORDS) as Status[];
  const all = applications.data?.data ?? [];
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (
    <Screen
      title={text('webhooks.everywhere')}
      aside={
        <Export id="exportWebhookDeliveries" name="webhook-deliveries" query={deliveryExport(query)}>
          <T k="export.deliveries" />
        </Export>
      }
    >
      <Find
        label="delivery.reference"
        value={query.get('reference') ?? ''}
        onChange={(reference) => set('reference', reference)}
      />
      <div className={parts['filters']}>
        <Pick
          label="payments.application"
          value={query.get('application') ?? ''}
          options={[['', text('filters.any')] as const, ...all.map(({ id, name }) => [id, name] as const)]}
          onChange={(id) => set('application', id)}
        />
        <Pick
          label="payments.status"
          value={query.get('status') ?? ''}
          options={[
            ['', text('filters.any')] as const,
            ...statuses.map((status) => [status, text(DELIVERY_WORDS[status][1])] as const),
          ]}
          onChange={(status) => set('status', status)}
        />
        <Field
          label="audit.from"
          type="date"
          value={query.get('from') ?? ''}
          onChange={(day) => set('from', day)}
        />
        <Field
          label="audit.to"
          type="date"
          value={query.get('to') ?? ''}
          onChange={(day) => set('to', day)}
        />
      </div>
      <Loaded query={deliveries}>
        {({ data, meta: { cursor } }) => (
          <>
            {data.length === 0 ? (
              <p className={parts['note']}>
                <T k="audit.none" />
              </p>
            ) : (
              <Rows deliveries={data} names={names} isOld={deliveries.isPlaceholderData} />
            )}
            <div className={parts['actions']}>
              {query.has('after') && (
                <Button onPress={() => set('after', '')}>
                  <T k="audit.newest" />
                </Button>
              )}
              {cursor.hasMore && (
                <Button onPress={() => set('after', cursor.next)}>
                  <T k="pages.after" />
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const COLUMNS = [
  { key: 'delivery.event', is: 'title' },
  { key: 'payments.status', is: 'state' },
  { key: 'delivery.order' },
  { key: 'payments.application' },
  { key: 'delivery.answer' },
  { key: 'payments.created' },
] as const;

interface RowsProps {
  deliveries: readonly WebhookDeliverySummary[];
  names: ReadonlyMap<string, string>;
  isOld: boolean;
}

function Rows({ deliveries, names, isOld }: RowsProps): ReactNode {
  return (
    <Table caption="webhooks.everywhere" columns={COLUMNS} isOld={isOld}>
      {deliveries.map((delivery) => (
        <Row
          key={delivery.id}
          cells={[
            <Link to={`/webhooks/deliveries/${delivery.id}?application=${delivery.paymentApplicationId}`}>
              <code>{delivery.event}</code>
            </Link>,
            <Pill tone={DELIVERY_WORDS[delivery.status][0]}>
              <T k={DELIVERY_WORDS[delivery.status][1]} />
            </Pill>,
            <Link to={`/payments/${delivery.paymentId}`}>
              <bdi>{delivery.reference}</bdi>
            </Link>,
            <bdi>{names.get(delivery.paymentApplicationId)}</bdi>,
            <Answer delivery={delivery} />,
            <When at={delivery.createdAt} />,
          ]}
        />
      ))}
    </Table>
  );
}
