import type { ReactNode } from 'react';
import type { UnknownReason } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import styles from './health.module.css';
import { REASONS } from './health-problems.pure.js';

interface UnknownProps {
  reason?: UnknownReason | null;
  /** RFC 3339. */
  since?: string | null;
}

/** In place of a value: that nobody knows it, why, and since when. */
export function Unknown({ reason = null, since = null }: UnknownProps): ReactNode {
  const { time } = useTexts();
  return (
    <>
      <span className={styles['unknown']}>
        <T k="health.unknown" />
      </span>{' '}
      <span className={parts['hint']}>
        {reason !== null && <T k={REASONS[reason]} />}{' '}
        {since !== null && <T k="health.since" values={{ time: time(since) }} />}
      </span>
    </>
  );
}
