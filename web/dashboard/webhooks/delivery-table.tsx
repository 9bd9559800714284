import { type ReactNode, useState } from 'react';
import type { WebhookDeliverySummary } from '../api/operations.js';
import { useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { DELIVERY_WORDS } from './delivery-words.pure.js';

/** What is shown of a delivery in either list. */
type Delivery = Omit<WebhookDeliverySummary, 'paymentApplicationId'>;

interface TableProps {
  applicationId: string;
  deliveries: readonly Delivery[];
}

export function DeliveryTable({ applicationId, deliveries }: TableProps): ReactNode {
  const { time } = useTexts();
  const [opened, setOpened] = useState<Delivery | null>(null);
  if (deliveries.length === 0)
    return (
      <p className={parts['hint']}>
        <T k="delivery.none" />
      </p>
    );
  return (
    <>
      <table className={parts['table']}>
        <caption className={parts['unseen']}>
          <T k="payment.deliveries" />
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <T k="delivery.event" />
            </th>
            <th scope="col">
              <T k="payments.status" />
            </th>
            <th scope="col">
              <T k="delivery.answer" />
            </th>
            <th scope="col">
              <T k="payments.created" />
            </th>
            <th scope="col">
              <span className={parts['unseen']}>
                <T k="delivery.details" />
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <code>{delivery.event}</code>
              </td>
              <td>
                <Pill tone={DELIVERY_WORDS[delivery.status][0]}>
                  <T k={DELIVERY_WORDS[delivery.status][1]} />
                </Pill>
              </td>
              <td data-wide>
                <Answer delivery={delivery} />
              </td>
              <td data-wide>{time(delivery.createdAt)}</td>
              <td>
                <Button onPress={() => setOpened(delivery)}>
                  <T k="delivery.details" />
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened && (
        <DeliveryDialog applicationId={applicationId} delivery={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Answer({ delivery }: { delivery: Delivery }): ReactNode {
  const { time } = useTexts();
  const { httpStatus, errorMessage, durationMs, nextAttemptAt, attempt } = delivery;
  return (
    <>
      {httpStatus !== null && <strong>{httpStatus} </strong>}
      {errorMessage !== null && <bdi>{errorMessage} </bdi>}
      {httpStatus !== null && durationMs !== null && <T k="delivery.took" values={{ ms: durationMs }} />}
      {nextAttemptAt !== null && attempt > 0 && (
        <>
          {' '}
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

/** Every attempt with its request and its answer. */
function DeliveryDialog({ applicationId, delivery, onClose }: DialogProps): ReactNode {
  const { time } = useTexts();
  const path = { id: applicationId, deliveryId: delivery.id };
  const attempts = useRead('listWebhookAttempts', { path });
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
        <Loaded query={attempts} rows={1}>
          {({ data }) =>
            data.length === 0 ? (
              <p className={parts['hint']}>
                <T k="delivery.no-attempt" />
              </p>
            ) : (
              data.map((attempt) => (
                <section key={attempt.attempt}>
                  <h3>
                    <T k="delivery.attempt" values={{ number: attempt.attempt }} />
                  </h3>
                  <p>
                    {time(attempt.startedAt)} · <strong>{attempt.httpStatus ?? '—'}</strong>{' '}
                    <bdi>{attempt.errorMessage}</bdi>{' '}
                    <T k="delivery.took" values={{ ms: attempt.durationMs }} />
                  </p>
                  <details>
                    <summary>
                      <T k="delivery.exchange" />
                    </summary>
                    <pre dir="ltr">
                      {`POST ${attempt.url}\n${Object.entries(attempt.requestHeaders)
                        .map(([name, value]) => `${name}: ${String(value)}`)
                        .join(
                          '\n',
                        )}\n\n${attempt.requestBody}\n\n← ${attempt.httpStatus ?? '—'}\n${attempt.responseBody ?? ''}`}
                    </pre>
                  </details>
                </section>
              ))
            )
          }
        </Loaded>
      </div>
      <div className={parts['actions']}>
        <Button kind="first" isPending={redeliver.isPending} onPress={() => redeliver.mutate({ path })}>
          <T k="action.resend" />
        </Button>
        <Button onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </Dialog>
  );
}
