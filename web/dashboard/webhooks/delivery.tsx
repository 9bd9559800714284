import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { WebhookDelivery } from '../api/operations.js';
import { useApi, useRead, useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Allowed } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { Attempts } from './attempts.js';
import { Answer } from './delivery-table.js';
import { DELIVERY_WORDS } from './delivery-words.pure.js';
import { OfEndpoint } from './snippets.js';

/** Milliseconds. */
const REFRESH_MS = 3_000;

interface Found {
  applicationId: string;
  delivery: WebhookDelivery;
}

/** Looks in the application of the address, or in all: a delivery belongs to one of them. */
function useDelivery(deliveryId: string, applicationId: string | null) {
  const api = useApi();
  const applications = useRead('listPaymentApplications', {}, { isEnabled: applicationId === null });
  const ids = applicationId === null ? applications.data?.data.map(({ id }) => id) : [applicationId];
  return useQuery<Found | null, GatewayError>({
    queryKey: ['delivery', deliveryId, ids],
    enabled: ids !== undefined,
    refetchInterval: REFRESH_MS,
    queryFn: async () => {
      for (const id of ids ?? [])
        try {
          const { data } = await api.call('getWebhookDelivery', { path: { id, deliveryId } });
          return { applicationId: id, delivery: data };
        } catch (error) {
          if (!(error instanceof GatewayError) || error.status !== 404) throw error;
        }
      return null;
    },
  });
}

/** One webhook: what was sent, what came back, and how to check its signature. */
export default function Delivery(): ReactNode {
  const { deliveryId = '' } = useParams();
  const { text } = useTexts();
  const [query] = useSearchParams();
  const found = useDelivery(deliveryId, query.get('application'));
  return (
    <Screen title={text('delivery.title')}>
      <Loaded query={found}>
        {(data) =>
          data === null ? (
            <p className={parts['note']}>
              <T k="delivery.not-found" />{' '}
              <Link to="/webhooks/deliveries">
                <T k="webhooks.everywhere" />
              </Link>
            </p>
          ) : (
            <Shown {...data} />
          )
        }
      </Loaded>
    </Screen>
  );
}

function Shown({ applicationId, delivery }: Found): ReactNode {
  const redeliver = useWrite('redeliverWebhook');
  const path = { id: applicationId, deliveryId: delivery.id };
  return (
    <div className={parts['stack']}>
      <section className={parts['card']}>
        <h2>
          <code>{delivery.event}</code>{' '}
          <Pill tone={DELIVERY_WORDS[delivery.status][0]}>
            <T k={DELIVERY_WORDS[delivery.status][1]} />
          </Pill>
        </h2>
        <p>
          <Answer delivery={delivery} />
        </p>
        <p className={parts['hint']}>
          <When at={delivery.createdAt} /> {delivery.url !== null && <code>{delivery.url}</code>}
        </p>
        {!delivery.test && (
          <p>
            <Link to={`/payments/${delivery.paymentId}`}>
              <T k="payment.id" />
            </Link>
          </p>
        )}
        <details>
          <summary>
            <T k="delivery.body" />
          </summary>
          <pre dir="ltr">{delivery.requestBody}</pre>
        </details>
        {redeliver.error && <Failure error={redeliver.error} />}
        <div className={parts['actions']}>
          <Allowed to="redeliverWebhook">
            <Button kind="first" isPending={redeliver.isPending} onPress={() => redeliver.mutate({ path })}>
              <T k="action.resend" />
            </Button>
          </Allowed>
          <span role="status">{redeliver.isSuccess && <T k="delivery.resent" />}</span>
        </div>
      </section>
      <section className={parts['card']}>
        <Attempts applicationId={applicationId} deliveryId={delivery.id} />
      </section>
      {delivery.url !== null && <OfEndpoint url={delivery.url} />}
    </div>
  );
}
