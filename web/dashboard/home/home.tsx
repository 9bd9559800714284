import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Failure } from '../parts/states.js';
import { Screen } from '../shell/screen.js';
import { checklist, isComplete } from './checklist.pure.js';
import { useAttention, useKnown } from './home.queries.js';
import styles from './home.module.css';

export function Home(): ReactNode {
  const { text } = useTexts();
  const steps = checklist(useKnown());
  return (
    <Screen title={text('nav.home')}>
      <div className={parts['stack']}>
        <Attention />
        {!isComplete(steps) && (
          <section className={parts['card']}>
            <h2>
              <T k="home.checklist" />
            </h2>
            <ol className={parts['stack']}>
              {steps.map(({ text: name, isDone, path }) => (
                <li key={name}>
                  <Pill tone={isDone ? 'good' : 'idle'}>
                    <T k={isDone === null ? 'state.loading' : isDone ? 'step.done' : 'step.open'} />
                  </Pill>{' '}
                  <Link to={path}>
                    <T k={name} />
                  </Link>
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </Screen>
  );
}

/** What waits for the merchant; a card that fails leaves the others. */
function Attention(): ReactNode {
  const { underpaid, untold, unmatched } = useAttention();
  const cards = [
    ['status.underpaid', '?status=UNDERPAID', underpaid],
    ['status.received', '?status=RECEIVED', untold],
    ['payments.unmatched', '?attention=unmatched_funds', unmatched],
  ] as const satisfies readonly (readonly [MessageKey, string, unknown])[];
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">
        <T k="home.attention" />
      </h2>
      <ul className={styles['cards']}>
        {cards.map(([name, query, { count, error, refetch }]) => (
          <li key={name} className={parts['card']}>
            {error ? (
              <Failure error={error} onRetry={() => void refetch()} />
            ) : (
              <Link to={`/payments${query}`}>
                <strong className={styles['count']} aria-busy={count === undefined}>
                  {count ?? '…'}
                </strong>
                <T k={name} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
