import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { T, useTexts } from '../i18n/text.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { ATTENTION_WORDS } from '../payments/attention-words.pure.js';
import styles from './home.module.css';
import { useOwed } from './home.queries.js';
import { OWED_KINDS, owedOf } from './owed.pure.js';

/** Orders that are named; the others are in Attention. */
const SHOWN = 4;

/** What customers have paid too much, twice or too late, and neither got back nor let the merchant keep. */
export function Owed(): ReactNode {
  const { money } = useTexts();
  const owed = useOwed();
  return (
    <section className={parts['card']}>
      <h2>
        <Link to={`/attention?kind=${OWED_KINDS.join()}`}>
          <T k="home.owed" />
        </Link>
      </h2>
      <Loaded query={owed} rows={1}>
        {({ data, meta }) => {
          const { rows, sums, isUnknown } = owedOf(data);
          const isPart = isUnknown || meta.cursor.hasMore;
          if (rows.length === 0 && !isPart)
            return (
              <p className={parts['hint']}>
                <T k="home.owed-none" />
              </p>
            );
          return (
            <>
              {sums.map((sum) => (
                <p key={sum.currency.code} className={styles['figure']}>
                  <Figures>{money(sum)}</Figures>
                </p>
              ))}
              {isPart && (
                <p className={parts['note']} data-tone="warn">
                  <T k="home.owed-more" />
                </p>
              )}
              <ul className={parts['stack']}>
                {rows.slice(0, SHOWN).map(({ paymentId, reference, kind, amount }) => (
                  <li key={paymentId} className={styles['line']}>
                    <span>
                      <Link to={`/payments/${paymentId}`}>
                        <bdi>{reference}</bdi>
                      </Link>
                      <span className={styles['below']}>
                        <T k={ATTENTION_WORDS[kind]} />
                      </span>
                    </span>
                    <strong>
                      <Figures>{money(amount)}</Figures>
                    </strong>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
