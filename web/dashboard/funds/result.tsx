import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Calls, Deployment } from './calls.js';
import { Dear } from './dear.js';
import { Fee } from './fee.js';
import type { Prepared } from './funds.queries.js';
import type { CollectionChoice } from './holdings.pure.js';
import { Left } from './left-out.js';
import { feeOf, joined, sumsOf } from './prepared.pure.js';
import styles from './funds.module.css';
import { Psbts } from './psbts.js';
import { Safes } from './safes.js';

interface ResultProps {
  prepared: Prepared;
  choice: CollectionChoice;
}

/** What the chain said: what arrives and what it costs, then what to do, then what stays where it is. */
export function Result({ prepared, choice }: ResultProps): ReactNode {
  const { time } = useTexts();
  const { prices, at, body } = prepared;
  const all = joined(prepared.parts);
  return (
    <div className={`${parts['stack']} ${styles['result']}`}>
      <div>
        <p className={parts['hint']}>
          <T k="collection.as-of" values={{ time: time(at) }} />
        </p>
        <Sum {...{ all, prices }} />
        {body.destination !== undefined && (
          <p>
            <T k="collection.goes" /> <code dir="ltr">{body.destination}</code>
          </p>
        )}
      </div>
      {all.deployment && <Deployment call={all.deployment} network={choice.name} />}
      <Psbts psbts={all.psbts} name={`collect-${choice.slug}`} />
      <Safes batches={all.safeBatches} transactions={all.transactions} name={choice.slug} />
      <Calls calls={all.transactions} prices={prices} />
      <Left leftOut={all.leftOut} plans={all.plans} />
      <p className={parts['hint']} role="status">
        {all.psbts.length + all.transactions.length > 0 && <T k="collection.follow" />}
      </p>
    </div>
  );
}

function Sum({ all, prices }: { all: ReturnType<typeof joined>; prices: Prepared['prices'] }): ReactNode {
  const { money, locale } = useTexts();
  const arrives = sumsOf(all.expected);
  const fee = feeOf(all);
  const count = all.psbts.length + all.transactions.length;
  const list = (texts: readonly string[]) => new Intl.ListFormat(locale).format(texts);
  if (count === 0)
    return (
      <p role="status">
        <strong>
          <T k="collection.nothing" />
        </strong>
      </p>
    );
  return (
    <>
      <p role="status">
        <strong>
          <T k="collection.sum" values={{ amounts: list(arrives.map(money)), count }} /> <Fee of={fee} />
        </strong>
      </p>
      <Dear arrives={arrives} fee={fee} prices={prices} />
      {all.unpriced.length > 0 && (
        <p className={parts['note']} data-tone="warn">
          <T k="collection.unpriced" values={{ coins: list(all.unpriced) }} />
        </p>
      )}
    </>
  );
}
