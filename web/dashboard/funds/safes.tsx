import type { ReactNode } from 'react';
import type { SafeBatch, TreasuryCollection } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import { Act } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { sumsOf } from './prepared.pure.js';

interface SafesProps {
  batches: readonly SafeBatch[];
  transactions: readonly TreasuryCollection[];
  name: string;
}

/** Files for the Transaction Builder, of treasuries that are a Safe: its owners sign once for several transactions. */
export function Safes({ batches, transactions, name }: SafesProps): ReactNode {
  const { text, money, locale } = useTexts();
  if (batches.length === 0) return null;
  /** A file does not say what it brings; where it is the only one of its Safe, all of that. */
  const bringsOf = ({ treasury, deposits }: SafeBatch): string => {
    if (batches.filter((one) => one.treasury === treasury).length > 1)
      return text('collection.from', { count: deposits });
    const own = transactions.filter((one) => one.treasury === treasury);
    return new Intl.ListFormat(locale).format(sumsOf(own.flatMap(({ expected }) => expected)).map(money));
  };
  return (
    <section>
      <h3>
        <T k="collection.safe" />
      </h3>
      <p className={parts['hint']}>
        <T k="collection.safe-how" />
      </p>
      <ul className={parts['stack']}>
        {batches.map((batch, index) => (
          <li key={batch.file} className={parts['card']}>
            <p>
              <code dir="ltr">{batch.treasury}</code>{' '}
              <T k="collection.from" values={{ count: batch.deposits }} />
            </p>
            <div className={parts['actions']}>
              <Button
                kind="first"
                onPress={() =>
                  save(new Blob([batch.file], { type: 'application/json' }), `safe-${name}-${index + 1}.json`)
                }
              >
                <Act act="collection.save-safe" what={bringsOf(batch)} />
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
