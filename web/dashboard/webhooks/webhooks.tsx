import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { PaymentApplication, WebhookEndpoint } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { OfApplication } from '../applications/application-pick.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Pages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure, Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Allowed } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { DeliveryTable } from './delivery-table.js';
import { endpointWords } from './endpoint-words.pure.js';
import { Replay } from './replay.js';
import { OfEndpoint } from './snippets.js';
import { TestEvent } from './test-event.js';
import { useAllDeliveries, useEndpoint } from './webhooks.queries.js';

export default function Webhooks(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen
      title={text('nav.webhooks')}
      aside={
        <Link to="/webhooks/deliveries">
          <T k="webhooks.everywhere" />
        </Link>
      }
    >
      <OfApplication>
        {(application) => (
          <div key={application.id} className={parts['stack']}>
            <Endpoint application={application} />
            <AllDeliveries applicationId={application.id} />
            {application.site.callbackUrl !== null && (
              <>
                <Allowed to="replayWebhooks">
                  <Replay applicationId={application.id} />
                </Allowed>
                <OfEndpoint url={application.site.callbackUrl} />
              </>
            )}
          </div>
        )}
      </OfApplication>
    </Screen>
  );
}

/** Where the webhooks of an application go, and whether they arrive. */
function Endpoint({ application }: { application: PaymentApplication }): ReactNode {
  const endpoint = useEndpoint(application.id);
  const pause = useWrite('pauseWebhooks');
  const resume = useWrite('resumeWebhooks');
  const path = { id: application.id };
  return (
    <section className={parts['card']}>
      <h2>
        <bdi>{application.name}</bdi>
      </h2>
      <Loaded query={endpoint} rows={1}>
        {({ data }) =>
          data.callbackUrl === null ? (
            <p>
              <T k="webhooks.no-url" />{' '}
              <Allowed to="updatePaymentApplication">
                <Link to={`/applications/${application.id}`}>
                  <T k="webhooks.set-url" />
                </Link>
              </Allowed>
            </p>
          ) : (
            <>
              <p>
                <code>{data.callbackUrl}</code> <EndpointPill endpoint={data} />
              </p>
              {data.lastError !== null && data.lastFailureAt !== null && (
                <p className={parts['hint']}>
                  <T k="webhooks.last-error" /> <When at={data.lastFailureAt} />: <bdi>{data.lastError}</bdi>
                </p>
              )}
              {data.waiting > 0 && (
                <p className={parts['hint']}>
                  <T k="webhooks.waiting" values={{ count: data.waiting }} />
                </p>
              )}
              <Allowed to="testWebhook" isExplained>
                <TestEvent applicationId={application.id} />
                <div className={parts['actions']}>
                  {data.paused ? (
                    <Button isPending={resume.isPending} onPress={() => resume.mutate({ path })}>
                      <T k="webhooks.resume" />
                    </Button>
                  ) : (
                    <Button isPending={pause.isPending} onPress={() => pause.mutate({ path, body: {} })}>
                      <T k="webhooks.pause" />
                    </Button>
                  )}
                </div>
              </Allowed>
            </>
          )
        }
      </Loaded>
      {[pause, resume].map(({ error }, index) => error && <Failure key={index} error={error} />)}
    </section>
  );
}

function EndpointPill({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [tone, word] = endpointWords(endpoint);
  return (
    <Pill tone={tone}>
      <T k={word} />
    </Pill>
  );
}

function AllDeliveries({ applicationId }: { applicationId: string }): ReactNode {
  const [page, setPage] = useState(1);
  const deliveries = useAllDeliveries(applicationId, page);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="payment.deliveries" />
      </h2>
      <Loaded query={deliveries}>
        {({ data, meta: { pagination } }) => (
          <>
            <DeliveryTable applicationId={applicationId} deliveries={data} />
            <Pages
              page={pagination.current_page}
              pages={pagination.total_pages}
              total={pagination.total}
              onChange={setPage}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
