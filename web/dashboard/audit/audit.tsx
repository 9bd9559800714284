import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { AuditEntry } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { Screen } from '../shell/screen.js';
import { auditFilters } from './filters.pure.js';

/** The kinds of actions that people look for; the address takes any. */
const ACTIONS: readonly AuditEntry['act'][] = [
  'sign_in.succeeded',
  'sign_in.blocked',
  'user.password_changed',
  'user.email_changed',
  'second_factor.enabled',
  'second_factor.disabled',
  'oauth_client.created',
  'oauth_client.revoked',
  'client_token.created',
  'client_token.revoked',
  'application.created',
  'application.changed',
  'application.deleted',
  'wallet.activated',
  'wallet.change_requested',
  'wallet.change_applied',
  'wallet.change_cancelled',
  'wallet.removed',
  'wallet.compared',
  'wallet.comparison_failed',
  'payment.accepted',
  'payment.cancelled',
  'payment.kept',
  'refund.created',
  'refund.cancelled',
  'delivery.redelivered',
  'deliveries.replayed',
  'endpoint.paused',
  'endpoint.resumed',
];

/** What was done in the account, newest first. The filters are the address. */
export default function Audit(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const entries = useRead('listAuditEntries', { query: auditFilters(query) });
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    // Another filter begins with the newest again.
    next.delete('after');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next);
  };
  return (
    <Screen title={text('nav.audit')}>
      <div className={parts['filters']}>
        <label className={parts['field']}>
          <strong>
            <T k="audit.act" />
          </strong>
          <select value={query.get('act') ?? ''} onChange={(event) => set('act', event.target.value)}>
            <option value="">{text('audit.all')}</option>
            {ACTIONS.map((act) => (
              <option key={act} value={act}>
                {act}
              </option>
            ))}
          </select>
        </label>
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
      <Loaded query={entries}>
        {({ data, meta: { cursor } }) => (
          <>
            {data.length === 0 ? (
              <p className={parts['note']}>
                <T k="audit.none" />
              </p>
            ) : (
              <Entries entries={data} isOld={entries.isPlaceholderData} />
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
  { key: 'audit.at', is: 'title' },
  { key: 'audit.act' },
  { key: 'audit.actor' },
  { key: 'audit.target' },
] as const;

function Entries({ entries, isOld }: { entries: readonly AuditEntry[]; isOld: boolean }): ReactNode {
  const { time } = useTexts();
  return (
    <Table caption="nav.audit" columns={COLUMNS} isOld={isOld}>
      {entries.map(({ at, act, actor, target, address, details, head, requestId }) => (
        <Row
          key={head}
          cells={[
            time(at),
            <code>{act}</code>,
            <>
              {actor.kind} <bdi>{address}</bdi>
            </>,
            <>
              {target && (
                <>
                  {target.kind} <code>{target.id}</code>
                </>
              )}
              <details>
                <summary>
                  <T k="delivery.details" />
                </summary>
                <pre dir="ltr">{JSON.stringify({ actor, details, requestId, head }, null, 2)}</pre>
              </details>
            </>,
          ]}
        />
      ))}
    </Table>
  );
}
