import { type ReactNode, useState } from 'react';
import type { LeftOut, SigningPlan } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import { Figures } from '../parts/figures.js';
import parts from '../parts/parts.module.css';
import { groupsOf } from './left-out.pure.js';

interface LeftProps {
  leftOut: readonly LeftOut[];
  /** What the offline signer needs for those of a key. */
  plans: readonly SigningPlan[];
}

/** What is in no transaction, by the reason, which says what helps. */
export function Left({ leftOut, plans }: LeftProps): ReactNode {
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
            {reason === 'of_key' && <Plans plans={plans} />}
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

function Plans({ plans }: { plans: readonly SigningPlan[] }): ReactNode {
  return (
    <div className={parts['actions']}>
      {plans.map((plan, index) => (
        <Button
          key={index}
          onPress={() =>
            save(
              new Blob([JSON.stringify(plan)], { type: 'application/json' }),
              `plan-${plan.blockchain}-${plan.keyFingerprint}-${index + 1}.json`,
            )
          }
        >
          <T k="left.save-plan" /> {plans.length > 1 && <code dir="ltr">{plan.keyFingerprint}</code>}
        </Button>
      ))}
    </div>
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
