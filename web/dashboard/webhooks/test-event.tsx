import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { GatewayError } from '../../../sdk/src/errors.js';
import type { TestWebhook, WebhookDelivery, WebhookTest } from '../api/operations.js';
import { resourceOf } from '../api/resource.pure.js';
import { useApi, useWrite } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure } from '../parts/states.js';

/** All that can be tried; the compiler names one that is missing. */
const NAMES: Record<TestWebhook['event'], true> = {
  'payment.received': true,
  'payment.completed': true,
  'payment.underpaid': true,
  'payment.refund': true,
  'payment.found': true,
  'payment.expired': true,
  'payment.cancelled': true,
  'payment.updated': true,
};
const EVENTS = Object.keys(NAMES) as TestWebhook['event'][];
/** Milliseconds. */
const LOOK_MS = 1_000;

/** A test event of any kind, and what the shop's server has answered to it. */
export function TestEvent({ applicationId }: { applicationId: string }): ReactNode {
  const [event, setEvent] = useState<TestWebhook['event']>('payment.received');
  const test = useWrite('testWebhook');
  return (
    <>
      <div className={parts['filters']}>
        <Pick
          label="delivery.event"
          value={event}
          options={EVENTS.map((name) => [name, name] as const)}
          onChange={(name) => setEvent(EVENTS.find((one) => one === name) ?? 'payment.received')}
        />
        <Button
          kind="first"
          isPending={test.isPending}
          onPress={() => test.mutate({ path: { id: applicationId }, body: { event } })}
        >
          <T k="webhooks.test" />
        </Button>
      </div>
      {test.error && <Failure error={test.error} />}
      {test.data && <Answered key={test.data.data.id} applicationId={applicationId} test={test.data.data} />}
    </>
  );
}

/** The only attempt, which begins at once. */
function Answered({ applicationId, test }: { applicationId: string; test: WebhookTest }): ReactNode {
  const api = useApi();
  const path = { id: applicationId, deliveryId: test.id };
  const { data = test, error } = useQuery<WebhookDelivery, GatewayError>({
    queryKey: ['test-event', test.id],
    refetchInterval: ({ state }) => (isOver(state.data) ? false : LOOK_MS),
    queryFn: async ({ signal }) => (await api.call('getWebhookDelivery', { path }, signal)).data,
  });
  const client = useQueryClient();
  const isAnswered = isOver(data);
  // What the endpoint answered last is beside it, and its deliveries below.
  useEffect(() => {
    if (isAnswered) void client.invalidateQueries({ queryKey: resourceOf('getWebhookEndpoint') });
  }, [client, isAnswered]);
  const isGood = data.status === 'SUCCEEDED';
  return (
    <div role="status" className={parts['note']}>
      {error && <Failure error={error} />}
      {isOver(data) ? (
        <>
          <p>
            <Pill tone={isGood ? 'good' : 'bad'}>{data.httpStatus ?? '—'}</Pill> <code>{data.event}</code>{' '}
            {data.errorMessage !== null && <bdi>{data.errorMessage}</bdi>}{' '}
            {data.durationMs !== null && <T k="delivery.took" values={{ ms: data.durationMs }} />}
          </p>
          {data.responseBody !== null && data.responseBody !== '' && <pre dir="ltr">{data.responseBody}</pre>}
        </>
      ) : (
        <p>
          <T k="webhooks.test-waits" />
        </p>
      )}
      <p>
        {test.warnings.join(' ')}{' '}
        <Link to={`/webhooks/deliveries/${test.id}?application=${applicationId}`}>
          <T k="delivery.details" />
        </Link>
      </p>
    </div>
  );
}

function isOver(delivery: WebhookDelivery | undefined): boolean {
  return delivery !== undefined && delivery.status !== 'PENDING';
}
