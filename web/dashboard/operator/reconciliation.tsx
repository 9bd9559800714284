import { Fragment, type ReactNode, useState } from 'react';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Figures } from '../parts/figures.js';
import { When } from '../parts/when.js';
import { nextRunOf, verdictsOf } from './verdicts.pure.js';

/** Milliseconds between two looks at a run that the gateway makes by itself. */
const LOOK_MS = 15_000;

/** Compares the records with the chains. It takes a while and asks the nodes, so it begins by a button. */
export function ReconciliationReport(): ReactNode {
  const { money } = useTexts();
  const [isAsked, setAsked] = useState(false);
  const report = useRead('getReconciliation', {}, { isEnabled: isAsked });
  return (
    <section className={parts['card']}>
      <h2>
        <T k="operator.reconciliation" />
      </h2>
      <p className={parts['hint']}>
        <T k="reconciliation.text" />
      </p>
      <Schedule />
      <div className={parts['actions']}>
        <Button
          kind="first"
          isPending={report.isFetching}
          onPress={() => (isAsked ? void report.refetch() : setAsked(true))}
        >
          <T k="reconciliation.compare" />
        </Button>
      </div>
      {isAsked && (
        <Loaded query={report}>
          {({ data }) => (
            <div role="status" className={parts['stack']}>
              <p>
                {verdictsOf(data).map(({ tone, message }) => (
                  <Fragment key={message.key}>
                    <Pill tone={tone}>
                      <T k={message.key} values={message.values ?? {}} />
                    </Pill>{' '}
                  </Fragment>
                ))}
                {data.consistent && data.unattributedCount > 0 && (
                  <>
                    <T k="reconciliation.otherwise" />{' '}
                  </>
                )}
                <When at={data.finishedAt} />
              </p>
              {data.notChecked.length > 0 && (
                <ul>
                  {data.notChecked.map((reason) => (
                    <li key={reason}>
                      <bdi>{reason}</bdi>
                    </li>
                  ))}
                </ul>
              )}
              {data.differences.length > 0 && (
                <>
                  <h3>
                    <T k="reconciliation.differences" values={{ count: data.differenceCount }} />
                  </h3>
                  <ul className={parts['stack']}>
                    {data.differences.map((one, index) => (
                      <li key={index}>
                        <code>{one.check}</code> {one.chain} <bdi>{one.subject}</bdi>{' '}
                        <T
                          k="reconciliation.expected"
                          values={{ expected: one.expected, found: one.found }}
                        />{' '}
                        <code>{one.paymentId}</code>
                      </li>
                    ))}
                  </ul>
                </>
              )}
              {data.unattributed.length > 0 && (
                <>
                  <h3>
                    <T k="reconciliation.unattributed" values={{ count: data.unattributedCount }} />
                  </h3>
                  <ul className={parts['stack']}>
                    {data.unattributed.map((one) => (
                      <li key={`${one.txHash} ${one.ordinal}`}>
                        <strong>
                          <Figures>{money(one.amount)}</Figures>
                        </strong>{' '}
                        {one.chain} <code>{one.txHash}</code> <code>{one.address}</code>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </div>
          )}
        </Loaded>
      )}
    </section>
  );
}

/** When the gateway has compared by itself, with what result, and when it does so again. */
function Schedule(): ReactNode {
  const schedule = useRead('getReconciliationSchedule', {}, { everyMs: LOOK_MS });
  return (
    <Loaded query={schedule} rows={1}>
      {({ data }) => {
        const { finishedAt, differenceCount, notCheckedCount } = data;
        const next = nextRunOf(data, new Date(schedule.dataUpdatedAt));
        return (
          <dl className={parts['sums']}>
            <div>
              <dt>
                <T k="reconciliation.last" />
              </dt>
              <dd>
                {finishedAt === null ? (
                  <T k="health.verify-never" />
                ) : (
                  <>
                    <When at={finishedAt} />
                    {differenceCount !== null && (
                      <div className={parts['hint']}>
                        {differenceCount === 0 ? (
                          <T k="reconciliation.none" />
                        ) : (
                          <T k="reconciliation.differences" values={{ count: differenceCount }} />
                        )}
                        {notCheckedCount !== null && notCheckedCount > 0 && (
                          <>
                            {' '}
                            · <T k="reconciliation.left-out" values={{ count: notCheckedCount }} />
                          </>
                        )}
                      </div>
                    )}
                  </>
                )}
              </dd>
            </div>
            <div>
              <dt>
                <T k="reconciliation.next" />
              </dt>
              <dd>{'at' in next ? <When at={next.at} /> : <T k={next.key} values={next.values ?? {}} />}</dd>
            </div>
          </dl>
        );
      }}
    </Loaded>
  );
}
