import { type ReactNode, useState } from 'react';
import type { LeftOut } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { groupsOf } from './left-out.pure.js';

/** What is in no transaction, by the reason, which says what helps. */
export function Left({ leftOut }: { leftOut: readonly LeftOut[] }): ReactNode {
  const { text, money, locale } = useTexts();
  if (leftOut.length === 0) return null;
  return (
    <section>
      <h3>
        <T k="left.title" />
      </h3>
      <ul className={parts['stack']}>
        {groupsOf(leftOut).map(({ reason, words, items, sums, isPartlyUnknown }) => (
          <li key={reason} data-reason={reason}>
            <p>
              <strong>
                <Figures>
                  {new Intl.ListFormat(locale).format([
                    ...sums.map(money),
                    ...(isPartlyUnknown ? [text('left.amount-unknown')] : []),
                  ])}
                </Figures>
              </strong>
              <br />
              <T k={words} />
            </p>
            <details>
              <summary>
                <T k="left.show" values={{ count: items.length }} />
              </summary>
              <Items items={items} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A thousand of them may be there, which nobody reads at once. */
const STEP = 50;

function Items({ items }: { items: readonly LeftOut[] }): ReactNode {
  const { money } = useTexts();
  const [shown, setShown] = useState(STEP);
  const hidden = items.length - shown;
  return (
    <>
      <ul className={parts['stack']}>
        {items.slice(0, shown).map(({ address, amount, derivation }, index) => (
          <li key={index}>
            <code dir="ltr">{address}</code>{' '}
            {amount === null ? <T k="left.amount-unknown" /> : <Figures>{money(amount)}</Figures>}{' '}
            {derivation?.walletPath && <code dir="ltr">{derivation.walletPath}</code>}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <div className={parts['actions']}>
          <Button onPress={() => setShown(shown + 10 * STEP)}>
            <T k="left.more" values={{ count: hidden }} />
          </Button>
        </div>
      )}
    </>
  );
}
