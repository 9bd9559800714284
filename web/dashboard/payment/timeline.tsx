import type { ReactNode } from 'react';
import type { Payment, TimelineEntry } from '../api/operations.js';
import { shortened } from '../i18n/format.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Icon } from '../parts/icons.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { useNetworks } from '../payments/payments.queries.js';
import { useTimeline } from './payment.queries.js';
import styles from './payment.module.css';
import { tell } from './timeline.pure.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

/** Everything that happened to a payment, and who did it. */
export function Timeline({ payment }: { payment: Payment }): ReactNode {
  const timeline = useTimeline(payment.id);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="timeline.title" />
      </h2>
      <Loaded query={timeline} rows={5}>
        {({ data }) => (
          <ol className={styles['timeline']}>
            {data.map((entry, index) => (
              <Entry key={index} entry={entry} payment={payment} />
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  );
}

function Entry({ entry, payment }: { entry: TimelineEntry; payment: Payment }): ReactNode {
  const { text, locale } = useTexts();
  const { nameOf } = useNetworks();
  const { tone, title, details, raw } = tell(entry, { locale, networkOf: nameOf });
  const transfer = payment.transactions.find(({ id }) => id === entry.objectId);
  const hash = entry.txHash !== null && <code title={entry.txHash}>{shortened(entry.txHash)}</code>;
  return (
    <li data-tone={tone}>
      <span className={styles['dot']}>
        <Icon tone={tone} />
      </span>
      <div>
        <strong>
          <bdi>
            <Figures>{text(title.key, title.values)}</Figures>
          </bdi>
        </strong>
        <div className={parts['hint']}>
          <When at={entry.at} />
          {details.map(({ key, values }) => (
            <span key={key}> · {text(key, values)}</span>
          ))}
          {entry.attempts !== null && entry.attempts > 1 && (
            <span>
              {' '}
              · <T k="delivery.attempt" values={{ number: entry.attempts }} />
            </span>
          )}
          {raw !== null && (
            <span>
              {' '}
              · <bdi>{raw}</bdi>
            </span>
          )}
          {hash && (
            <span>
              {' '}
              ·{' '}
              {transfer && transfer.explorerUrl !== null ? (
                <a href={transfer.explorerUrl} target="_blank" rel="noopener noreferrer">
                  {hash}
                </a>
              ) : (
                hash
              )}
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
