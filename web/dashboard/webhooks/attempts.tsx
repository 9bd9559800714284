import type { ReactNode } from 'react';
import { useRead } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';

/** Milliseconds. */
const REFRESH_MS = 3_000;

interface AttemptsProps {
  applicationId: string;
  deliveryId: string;
}

/** Every attempt with its request and its answer. */
export function Attempts({ applicationId, deliveryId }: AttemptsProps): ReactNode {
  const attempts = useRead(
    'listWebhookAttempts',
    { path: { id: applicationId, deliveryId } },
    { everyMs: REFRESH_MS },
  );
  return (
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
                <When at={attempt.startedAt} /> · <strong>{attempt.httpStatus ?? '—'}</strong>{' '}
                <bdi>{attempt.errorMessage}</bdi> <T k="delivery.took" values={{ ms: attempt.durationMs }} />
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
  );
}
