import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AuditEntry } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Field } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Row, Table } from '../parts/table.js';
import { When } from '../parts/when.js';
import { Screen } from '../shell/screen.js';
import { ACT_WORDS, type Act, actorOf, actWords, targetOf } from './audit-words.pure.js';
import { auditFilters } from './filters.pure.js';

/** What can be asked for; the address takes any. */
const ACTIONS = (Object.keys(ACT_WORDS) as Act[]).flatMap((act) => {
  const words = ACT_WORDS[act];
  return words === null ? [] : [[act, words] as const];
});

/** Whose requests are in the request log, too. */
const SERVERS: readonly AuditEntry['actor']['kind'][] = ['oauth_client', 'client_token'];

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
            {ACTIONS.map(([act, words]) => (
              <option key={act} value={act}>
                {text(words)}
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
        <Check
          isSelected={query.has('tokens')}
          onChange={(isSelected) => set('tokens', isSelected ? '1' : '')}
        >
          <T k="audit.tokens" />
        </Check>
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
  const names = useNames();
  return (
    <Table caption="nav.audit" columns={COLUMNS} isOld={isOld}>
      {entries.map((entry) => (
        <Entry key={entry.head} entry={entry} names={names} />
      ))}
    </Table>
  );
}

/** Of people and applications, by their ids. */
function useNames(): ReadonlyMap<string, string> {
  const members = useRead('listMembers', {}).data?.data ?? [];
  const applications = useRead('listPaymentApplications', {}).data?.data ?? [];
  return new Map([
    ...members.map(({ userId, email }) => [userId, email] as const),
    ...applications.map(({ id, name }) => [id, name] as const),
  ]);
}

interface EntryProps {
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
}

function Entry({ entry, names }: EntryProps): ReactNode {
  const { at, act, actor, target, address, details, head, requestId } = entry;
  const words = actWords(act);
  const who = actorOf(actor, names);
  return (
    <Row
      cells={[
        <When at={at} />,
        words === null ? <code>{act}</code> : <T k={words} />,
        <>
          {'name' in who ? <bdi>{who.name}</bdi> : <T k={who.words} />}
          {address !== null && (
            <div className={parts['hint']}>
              <bdi>{address}</bdi>
            </div>
          )}
        </>,
        <>
          <About target={target} names={names} />
          <details>
            <summary>
              <T k="delivery.details" />
            </summary>
            {requestId !== null && SERVERS.includes(actor.kind) && (
              <p>
                <Link to={`/requests?request=${requestId}`}>
                  <T k="requests.id" /> <code>{requestId}</code>
                </Link>
              </p>
            )}
            <pre dir="ltr">{JSON.stringify({ act, actor, target, details, requestId, head }, null, 2)}</pre>
          </details>
        </>,
      ]}
    />
  );
}

function About({ target, names }: Pick<EntryProps, 'names'> & Pick<AuditEntry, 'target'>): ReactNode {
  if (target === null) return null;
  const { words, name, path } = targetOf(target, names);
  const shown = name === target.id ? <code>{name}</code> : <bdi>{name}</bdi>;
  return (
    <p>
      {words !== null && (
        <>
          <T k={words} />{' '}
        </>
      )}
      {path === null ? shown : <Link to={path}>{shown}</Link>}
    </p>
  );
}
