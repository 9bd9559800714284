import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoggedRequest } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field, Pick } from '../parts/field.js';
import { Find } from '../parts/find.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import type { Tone } from '../parts/tone.pure.js';
import { When } from '../parts/when.js';
import { useApplications } from '../payments/payments.queries.js';
import { Screen } from '../shell/screen.js';
import {
  adviceIn,
  laidOut,
  METHODS,
  paymentIn,
  requestFilters,
  requestIdIn,
  STATUS_CLASSES,
} from './request-filters.pure.js';
import styles from './requests.module.css';

/** Milliseconds: a developer looks for what has just been sent. */
const REFRESH_MS = 5_000;

/** What the servers of the account have asked, newest first. The filters are the address. */
export default function Requests(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const requests = useRead('listLoggedRequests', { query: requestFilters(query) }, { everyMs: REFRESH_MS });
  const applications = useApplications().data?.data ?? [];
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    // Another filter begins with the newest again.
    next.delete('after');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next);
  };
  return (
    <Screen title={text('nav.requests')}>
      <p className={parts['hint']}>
        <T k="requests.kept" />
      </p>
      <Find
        label="requests.id"
        value={query.get('request') ?? ''}
        onChange={(pasted) => set('request', requestIdIn(pasted))}
      />
      <Find label="requests.path" value={query.get('path') ?? ''} onChange={(path) => set('path', path)} />
      <div className={parts['filters']}>
        <Pick
          label="payments.status"
          value={query.get('status') ?? ''}
          options={[
            ['', text('filters.any')] as const,
            ...STATUS_CLASSES.map((status) => [status, status] as const),
          ]}
          onChange={(status) => set('status', status)}
        />
        <Pick
          label="requests.method"
          value={query.get('method') ?? ''}
          options={[
            ['', text('filters.any')] as const,
            ...METHODS.map((method) => [method, method] as const),
          ]}
          onChange={(method) => set('method', method)}
        />
        {applications.length > 1 && (
          <Pick
            label="payments.application"
            value={query.get('application') ?? ''}
            options={[
              ['', text('filters.any')] as const,
              ...applications.map(({ id, name }) => [id, name] as const),
            ]}
            onChange={(id) => set('application', id)}
          />
        )}
        <Field
          label="audit.from"
          type="date"
          value={query.get('from') ?? ''}
          onChange={(day) => set('from', day)}
        />
      </div>
      <Loaded query={requests}>
        {({ data, meta: { cursor } }) => (
          <>
            {data.length === 0 ? (
              <p className={parts['note']}>
                <T k="requests.none" />
              </p>
            ) : (
              <Rows requests={data} isOld={requests.isPlaceholderData} isOpen={query.has('request')} />
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
  { key: 'requests.request', is: 'title' },
  { key: 'payments.status', is: 'state' },
  { key: 'tokens.token' },
  { key: 'audit.at' },
] as const;

interface RowsProps {
  requests: readonly LoggedRequest[];
  isOld: boolean;
  /** Whether what else is known of each is in sight at once: somebody has asked for this one. */
  isOpen: boolean;
}

function Rows({ requests, isOld, isOpen }: RowsProps): ReactNode {
  return (
    <Table caption="nav.requests" columns={COLUMNS} isOld={isOld}>
      {requests.map((request) => (
        <Row
          key={request.requestId}
          cells={[
            <div className={styles['asked']}>
              <code>
                {request.method} {request.path}
              </code>
              <Details request={request} isOpen={isOpen} />
            </div>,
            <Pill tone={toneOf(request.status)}>{request.status}</Pill>,
            <bdi>{request.tokenLabel ?? request.oauthClientId ?? 'OAuth2'}</bdi>,
            <When at={request.at} />,
          ]}
        />
      ))}
    </Table>
  );
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function Details({ request, isOpen }: { request: LoggedRequest; isOpen: boolean }): ReactNode {
  const { requestId, durationMs, idempotencyKey, address, errorCode, errorBody } = request;
  const paymentId = paymentIn(request.path);
  const advice = errorBody === null ? null : adviceIn(errorBody);
  return (
    <details open={isOpen}>
      <summary>
        {errorCode === null ? <T k="delivery.took" values={{ ms: durationMs }} /> : <code>{errorCode}</code>}
      </summary>
      <p className={parts['hint']}>
        <T k="requests.id" /> <code>{requestId}</code>
        {idempotencyKey !== null && (
          <>
            <br />
            Idempotency-Key <code>{idempotencyKey}</code>
          </>
        )}
        <br />
        <bdi dir="ltr">{address}</bdi> · <T k="delivery.took" values={{ ms: durationMs }} />
      </p>
      {/* Of a request that found no payment there is none to open. */}
      {paymentId !== null && request.status !== 404 && (
        <p>
          <Link to={`/payments/${paymentId}`}>
            <T k="create.open" />
          </Link>
        </p>
      )}
      {advice !== null && (
        <p lang="en" dir="ltr">
          {advice}
        </p>
      )}
      {errorBody !== null && (
        <>
          <p className={parts['hint']}>
            <T k="requests.error" />
          </p>
          <pre dir="ltr">{laidOut(errorBody)}</pre>
        </>
      )}
    </details>
  );
}
