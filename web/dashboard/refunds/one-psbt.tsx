import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { GatewayError } from '../../../sdk/src/errors.js';
import type { Payout, PreparePayout } from '../api/operations.js';
import { useApi } from '../api/use-api.js';
import { FeeRate, feeRateOf } from '../funds/fee-rate.js';
import styles from '../funds/funds.module.css';
import { Psbts } from '../funds/psbts.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import parts from '../parts/parts.module.css';

interface OneProps {
  applicationId: string;
  blockchain: string;
  refundIds: string[];
}

/** One transaction of bitcoin and its like that pays all of them from what came in; nothing here signs, and nothing is stored. */
export function OnePsbt({ applicationId, blockchain, refundIds }: OneProps): ReactNode {
  const { locale, money } = useTexts();
  const api = useApi();
  const [change, setChange] = useState('');
  const [rate, setRate] = useState('');
  const { mutate, data, error, isPending } = useMutation<Payout, GatewayError, PreparePayout>({
    mutationFn: async (body) => (await api.call('preparePayout', { path: { id: applicationId }, body })).data,
  });
  const ask = () => mutate({ blockchain, refundIds, change: change.trim(), ...feeRateOf(rate, locale) });
  const { psbt = null, missing = null } = (!isPending && data) || {};
  return (
    <section className={parts['note']}>
      <p>
        <T k="payout.one-how" />
      </p>
      <Form
        error={error}
        onSubmit={ask}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" isPending={isPending}>
              <T k="payout.one" />
            </Button>
          </div>
        }
      >
        <Field
          name="change"
          label="payout.change-address"
          hint="collection.destination-hint"
          value={change}
          onChange={setChange}
          isRequired
          autoComplete="off"
          spellCheck="false"
          dir="ltr"
        />
        <FeeRate value={rate} onChange={setRate} />
      </Form>
      <div role="status" className={`${parts['stack']} ${styles['result']}`}>
        {psbt && (
          <>
            <Psbts psbts={[psbt]} name={`payout-${blockchain}`} />
            {psbt.change && (
              <p>
                <T k="payout.change" values={{ amount: money(psbt.change) }} />
              </p>
            )}
          </>
        )}
        {missing && (
          <p className={parts['note']} data-tone="warn">
            <T k="payout.missing" values={{ amount: money(missing) }} />
          </p>
        )}
      </div>
    </section>
  );
}
