import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { T } from '../i18n/text.js';
import { Elsewhere } from '../people/elsewhere.js';
import { Button } from './button.js';
import { Copy } from './field.js';
import styles from './parts.module.css';
import { useStill } from './still.js';

/** What went wrong, what to do, and the id that support needs. */
export function Failure({ error, onRetry }: { error: GatewayError; onRetry?: () => void }): ReactNode {
  return (
    <div role="alert" className={styles['note']} data-tone="bad">
      <p>
        <strong>
          <T k="failure.title" />
        </strong>{' '}
        {error.message} {error.hint}
      </p>
      {error.status === 404 && <Elsewhere />}
      {error.requestId !== null && (
        <p className={styles['hint']}>
          <T k="failure.request" /> <code>{error.requestId}</code> <Copy text={error.requestId} />
        </p>
      )}
      {onRetry && (
        <div className={styles['actions']}>
          <Button onPress={onRetry}>
            <T k="failure.retry" />
          </Button>
        </div>
      )}
    </div>
  );
}

/** Grey places of the height of what comes. */
export function Skeleton({ rows = 3 }: { rows?: number }): ReactNode {
  return (
    <div aria-busy="true">
      <span className={styles['unseen']} role="status">
        <T k="state.loading" />
      </span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles['skeleton']} />
      ))}
    </div>
  );
}

interface LoadedProps<Data> {
  query: UseQueryResult<Data, GatewayError>;
  rows?: number;
  children: (data: Data) => ReactNode;
  /** Of rows that have dialogs. */
  isList?: boolean;
}

/** The data; while there is none a skeleton, and a failure above what was known before. */
export function Loaded<Data>({ query, rows, children, isList = false }: LoadedProps<Data>): ReactNode {
  const { data: current, error, refetch } = query;
  // Of the query before, if this one has failed.
  const [known, setKnown] = useState(current);
  if (current !== undefined && current !== known) setKnown(current);
  const still = useStill(current ?? known);
  const data = isList ? still : (current ?? known);
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton {...(rows !== undefined && { rows })} /> : children(data)}
    </>
  );
}
