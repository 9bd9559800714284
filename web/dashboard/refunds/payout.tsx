import type { ReactNode } from 'react';
import type { Payout as Prepared, PayoutItem, Refund, ReportedPayout } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { kindOf } from '../funds/holdings.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { save } from '../parts/export.js';
import { Copy, Field } from '../parts/field.js';
import { Figures } from '../parts/figures.js';
import { Form } from '../parts/form.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { useNetworks } from '../payments/payments.queries.js';
import { OnePsbt } from './one-psbt.js';
import { REASONS } from './payout.pure.js';
import { usePayout } from './refunds.queries.js';

interface PayoutProps {
  /** Of one application, on one network. */
  refunds: readonly Refund[];
  onClose: () => void;
}

/** What pays several refunds from the merchant's wallet, and the transaction that has done it. Nothing here signs. */
export default function Payout({ refunds, onClose }: PayoutProps): ReactNode {
  const [first] = refunds;
  const ids = refunds.map(({ id }) => id).toSorted();
  const payout = usePayout(first?.paymentApplicationId ?? '', first?.blockchain ?? '', ids);
  const report = useWrite('reportPayouts');
  const results = report.data?.data.refunds;
  const family = useNetworks().networks.find(({ slug }) => slug === first?.blockchain)?.family ?? '';
  return (
    <Dialog title="payout.title" onClose={onClose}>
      {results ? (
        <>
          <Results results={results} refunds={refunds} />
          <div className={parts['actions']}>
            <Button kind="first" onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        </>
      ) : (
        <Loaded query={payout}>
          {({ data }) => (
            <div className={parts['stack']}>
              {first && data.refunds.length > 0 && kindOf(family) === 'psbt' && (
                <OnePsbt
                  applicationId={first.paymentApplicationId}
                  blockchain={first.blockchain}
                  refundIds={data.refunds.map(({ refundId }) => refundId)}
                />
              )}
              <Whole payout={data} refunds={refunds} onClose={onClose} report={report} />
            </div>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

interface WholeProps extends PayoutProps {
  payout: Prepared;
  report: ReturnType<typeof useWrite<'reportPayouts'>>;
}

function Whole({ payout, refunds, onClose, report }: WholeProps): ReactNode {
  const { money, locale } = useTexts();
  const { nameOf } = useNetworks();
  const [first] = refunds;
  const network = first?.blockchain ?? '';
  const sums = new Intl.ListFormat(locale).format(payout.sums.map(({ amount }) => money(amount)));
  const { safeBatch } = payout;
  const referenceOf = (id: string) => refunds.find((one) => one.id === id)?.reference ?? id;
  return (
    <Form
      error={report.error}
      onSubmit={(form) => {
        const txHash = (form.get('transactions') as string).trim();
        const transactions = Object.fromEntries(payout.refunds.map(({ refundId }) => [refundId, txHash]));
        report.mutate({ path: { id: first?.paymentApplicationId ?? '' }, body: { transactions } });
      }}
      actions={
        <div className={parts['actions']}>
          {payout.refunds.length > 0 && (
            <Button type="submit" kind="first" isPending={report.isPending}>
              <Act act="payout.sent" what={sums} />
            </Button>
          )}
          <Button onPress={onClose}>
            <T k="dialog.back" />
          </Button>
        </div>
      }
    >
      {payout.refunds.length === 0 ? (
        <p>
          <T k="payout.nothing" />
        </p>
      ) : (
        <>
          <p>
            <strong>
              <Figures>{sums}</Figures>
            </strong>{' '}
            · <bdi>{nameOf(network)}</bdi>
          </p>
          <p className={parts['hint']}>
            <T k="payout.text" />
          </p>
          <ul className={parts['stack']}>
            {payout.refunds.map((item) => (
              <li key={item.refundId}>
                <Item item={item} />
              </li>
            ))}
          </ul>
          {safeBatch !== null && (
            <section className={parts['note']}>
              <p>
                <T k="payout.safe-how" />
              </p>
              <div className={parts['actions']}>
                <Button
                  onPress={() =>
                    save(new Blob([safeBatch], { type: 'application/json' }), `payout-${network}.json`)
                  }
                >
                  <Act act="collection.save-safe" what={sums} />
                </Button>
              </div>
            </section>
          )}
        </>
      )}
      {payout.leftOut.length > 0 && (
        <section>
          <h3>
            <T k="payout.left" />
          </h3>
          <ul>
            {payout.leftOut.map(({ refundId, reason }) => (
              <li key={refundId}>
                <bdi>{referenceOf(refundId)}</bdi>: <T k={REASONS[reason]} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {payout.refunds.length > 0 && (
        <Field
          name="transactions"
          label="refund.transaction"
          hint="payout.sent-hint"
          isRequired
          autoComplete="off"
          dir="ltr"
        />
      )}
    </Form>
  );
}

function Item({ item }: { item: PayoutItem }): ReactNode {
  const { money } = useTexts();
  const { reference, amount, address, call, paymentUri } = item;
  return (
    <>
      <bdi>{reference}</bdi> · <Figures>{money(amount)}</Figures>
      <div>
        <code dir="ltr">{address}</code>
      </div>
      <div className={parts['actions']}>
        {call ? (
          <Copy
            text={JSON.stringify({ to: call.to, data: call.data, value: call.value })}
            label="collection.copy-call"
            what={money(amount)}
          />
        ) : (
          <Copy text={paymentUri ?? address} label="where.copy" what={money(amount)} />
        )}
      </div>
    </>
  );
}

function Results({
  results,
  refunds,
}: {
  results: readonly ReportedPayout[];
  refunds: readonly Refund[];
}): ReactNode {
  const { money } = useTexts();
  return (
    <ul aria-live="polite">
      {results.map(({ refundId, refusal }) => {
        const refund = refunds.find(({ id }) => id === refundId);
        return (
          <li key={refundId} data-refusal={refusal ?? 'none'}>
            <bdi>{refund?.reference ?? refundId}</bdi>
            {refund && (
              <>
                {' '}
                · <Figures>{money(refund.payoutAmount)}</Figures>
              </>
            )}
            : <T k={refusal === null ? 'payout.recorded' : REASONS[refusal]} />
          </li>
        );
      })}
    </ul>
  );
}
