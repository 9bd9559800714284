import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { CursorPages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';

/** Funds of all users that no payment was credited with; their owners decide about them. */
export function UnattributedFunds(): ReactNode {
  const { money } = useTexts();
  const [query] = useSearchParams();
  const after = query.get('after') ?? '';
  const funds = useRead('listUnattributedFunds', { query: { ...(after && { after }) } });
  return (
    <section className={parts['card']}>
      <p className={parts['hint']}>
        <T k="funds.text" />
      </p>
      <Loaded query={funds}>
        {({ data, meta }) => (
          <>
            {data.length === 0 ? (
              <p className={parts['note']}>
                <T k="funds.none" />
              </p>
            ) : (
              <ul className={parts['stack']} aria-busy={funds.isPlaceholderData}>
                {data.map((one) => (
                  <li key={one.id}>
                    <strong>
                      <Figures>{money(one.amount)}</Figures>
                    </strong>{' '}
                    {one.blockchain} · <bdi>{one.applicationName}</bdi> · <When at={one.seenAt} />
                    <br />
                    <T k="funds.owner" /> <code>{one.userId}</code>
                    <br />
                    <T k="funds.payment" /> <code>{one.paymentId}</code>
                    <br />
                    <T k="funds.transaction" /> <code>{one.txHash}</code>
                  </li>
                ))}
              </ul>
            )}
            <CursorPages cursor={meta.cursor} />
          </>
        )}
      </Loaded>
    </section>
  );
}
