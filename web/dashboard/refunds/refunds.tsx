import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { RefundStatus } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check } from '../parts/field.js';
import { Chip, Chips } from '../parts/chips.js';
import { Export } from '../parts/export.js';
import { Act } from '../parts/lazy-dialog.js';
import { CursorPages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Screen } from '../shell/screen.js';
import { Allowed } from '../people/allowed.js';
import { OneRefund } from './one-refund.js';
import { canJoin, isSelectable, sumsOf } from './payout.pure.js';
import { REFUND_STATUSES, REFUND_WORDS } from './refund-words.pure.js';
import { useAllRefunds } from './refunds.queries.js';

const Payout = lazy(() => import('./payout.js'));

export default function Refunds(): ReactNode {
  const { text, money, locale } = useTexts();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isPreparing, setPreparing] = useState(false);
  const [query, setQuery] = useSearchParams();
  const status = REFUND_STATUSES.find((one) => one === query.get('status')) ?? null;
  const refunds = useAllRefunds(status, query.get('after') ?? '');
  const choose = (one: RefundStatus | null) => setQuery(one === null ? {} : { status: one });
  return (
    <Screen
      title={text('payment.refunds')}
      aside={
        <Export id="exportRefunds" name="refunds" query={status === null ? {} : { status }}>
          <T k="export.refunds" />
        </Export>
      }
    >
      <Chips label="payments.status">
        <Chip name="payments.all" isOn={status === null} onPress={() => choose(null)} />
        {REFUND_STATUSES.map((one) => (
          <Chip key={one} name={REFUND_WORDS[one][1]} isOn={one === status} onPress={() => choose(one)} />
        ))}
      </Chips>
      <Loaded query={refunds} isList>
        {({ data, meta }) => {
          // What was paid or cancelled meanwhile is not selected any more.
          const picked = data.filter((one) => selected.includes(one.id) && isSelectable(one));
          const sums = new Intl.ListFormat(locale).format(sumsOf(picked).map(money));
          return data.length === 0 ? (
            <div className={parts['note']}>
              <p>
                <T k={status === null ? 'refund.none' : 'refund.no-match'} />
              </p>
              {status !== null && (
                <div className={parts['actions']}>
                  <Button onPress={() => choose(null)}>
                    <T k="payments.clear" />
                  </Button>
                </div>
              )}
            </div>
          ) : (
            <div aria-busy={refunds.isPlaceholderData} className={parts['stack']}>
              <ul className={parts['stack']}>
                {data.map((refund) => (
                  <li key={refund.id} className={parts['card']}>
                    <p>
                      <bdi>{refund.reference}</bdi>
                    </p>
                    <OneRefund refund={refund} />
                    <Allowed to="reportPayouts">
                      {isSelectable(refund) && (
                        <Check
                          isSelected={picked.includes(refund)}
                          isDisabled={!canJoin(refund, picked)}
                          onChange={(isOn) =>
                            setSelected([
                              ...picked.map(({ id }) => id).filter((id) => id !== refund.id),
                              ...(isOn ? [refund.id] : []),
                            ])
                          }
                        >
                          <T k="payout.pick" />
                        </Check>
                      )}
                    </Allowed>
                    <Link to={`/payments/${refund.paymentId}`}>
                      <T k="create.open" />
                    </Link>
                  </li>
                ))}
              </ul>
              {picked.length > 0 && (
                <div className={parts['actions']}>
                  <Button kind="first" onPress={() => setPreparing(true)}>
                    <Act act="payout.title" what={sums} />
                  </Button>
                </div>
              )}
              {isPreparing && picked.length > 0 && (
                <Suspense fallback={null}>
                  <Payout refunds={picked} onClose={() => setPreparing(false)} />
                </Suspense>
              )}
              <CursorPages cursor={meta.cursor} />
            </div>
          );
        }}
      </Loaded>
    </Screen>
  );
}
