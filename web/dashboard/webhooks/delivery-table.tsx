import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { WebhookDeliverySummary } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';
import { Allowed } from '../people/allowed.js';
import { Attempts } from './attempts.js';
import { DELIVERY_WORDS } from './delivery-words.pure.js';

/** What is shown of a delivery in either list. */
type Delivery = Omit<WebhookDeliverySummary, 'paymentApplicationId' | 'reference'>;

const COLUMNS = [
  { key: 'delivery.event', is: 'title' },
  { key: 'payments.status', is: 'state' },
  { key: 'delivery.answer' },
  { key: 'payments.created' },
  { key: 'delivery.details', is: 'acts' },
] as const;

interface TableProps {
  applicationId: string;
  deliveries: readonly Delivery[];
}

export function DeliveryTable({ applicationId, deliveries }: TableProps): ReactNode {
  const [opened, setOpened] = useState<Delivery | null>(null);
  if (deliveries.length === 0)
    return (
      <p className={parts['hint']}>
        <T k="delivery.none" />
      </p>
    );
  return (
    <>
      <Table caption="payment.deliveries" columns={COLUMNS}>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            cells={[
              <code>{delivery.event}</code>,
              <Pill tone={DELIVERY_WORDS[delivery.status][0]}>
                <T k={DELIVERY_WORDS[delivery.status][1]} />
              </Pill>,
              <Answer delivery={delivery} />,
              <When at={delivery.createdAt} />,
              <Button onPress={() => setOpened(delivery)}>
                <T k="delivery.details" />
              </Button>,
            ]}
          />
        ))}
      </Table>
      {opened && (
        <DeliveryDialog applicationId={applicationId} delivery={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

export function Answer({ delivery }: { delivery: Delivery }): ReactNode {
  const { time } = useTexts();
  const { httpStatus, errorMessage, durationMs, nextAttemptAt, attempt } = delivery;
  return (
    <>
      {httpStatus !== null && <strong>{httpStatus} </strong>}
      {errorMessage !== null && <bdi>{errorMessage} </bdi>}
      {httpStatus !== null && durationMs !== null && <T k="delivery.took" values={{ ms: durationMs }} />}
      {nextAttemptAt !== null && attempt > 0 && (
        <>
          {' · '}
          <T k="delivery.next" values={{ time: time(nextAttemptAt) }} />
        </>
      )}
    </>
  );
}

interface DialogProps {
  applicationId: string;
  delivery: Delivery;
  onClose: () => void;
}

function DeliveryDialog({ applicationId, delivery, onClose }: DialogProps): ReactNode {
  const path = { id: applicationId, deliveryId: delivery.id };
  const redeliver = useWrite('redeliverWebhook');
  return (
    <Dialog title="delivery.title" onClose={onClose}>
      <div className={parts['stack']}>
        <p>
          <code>{delivery.event}</code> · <code>{delivery.id}</code>
        </p>
        {redeliver.error && <Failure error={redeliver.error} />}
        {redeliver.isSuccess && (
          <p role="status">
            <T k="delivery.resent" />
          </p>
        )}
        <Attempts applicationId={applicationId} deliveryId={delivery.id} />
        <Link to={`/webhooks/deliveries/${delivery.id}?application=${applicationId}`}>
          <T k="delivery.own-page" />
        </Link>
      </div>
      <div className={parts['actions']}>
        <Allowed to="redeliverWebhook">
          <Button kind="first" isPending={redeliver.isPending} onPress={() => redeliver.mutate({ path })}>
            <T k="action.resend" />
          </Button>
        </Allowed>
        <Button onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </Dialog>
  );
}
