import { type ReactNode, useState } from 'react';
import { GatewayError } from '../../../sdk/src/errors.js';
import type { PrepareCollection } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check, Field } from '../parts/field.js';
import { Figures } from '../parts/figures.js';
import { Form } from '../parts/form.js';
import { Act } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { useAmount } from '../payments/amount-field.js';
import { FeeRate, feeRateOf } from './fee-rate.js';
import { type Prepared, usePrepared } from './funds.queries.js';
import type { CollectionChoice } from './holdings.pure.js';
import { Result } from './result.js';

interface PrepareProps {
  applicationId: string;
  choice: CollectionChoice;
}

/** Asks the chain what is there, and shows what to sign; nothing here signs, and nothing is stored. */
export function Prepare({ applicationId, choice }: PrepareProps): ReactNode {
  const { prepared, error, isPending, ask, askAgain, goOn } = usePrepared(applicationId);
  const Terms = choice.kind === 'psbt' ? OutputTerms : TreasuryTerms;
  return (
    <>
      <Terms choice={choice} error={prepared ? null : error} isPending={isPending} onAsk={ask} />
      {prepared && (
        <>
          <Result prepared={prepared} choice={choice} />
          {error && <Failure error={error} />}
          <div className={parts['actions']}>
            {hasOlder(prepared) && (
              <Button isPending={isPending} onPress={() => goOn(prepared)}>
                <T k="collection.older" />
              </Button>
            )}
            <Button isPending={isPending} onPress={() => askAgain(prepared)}>
              <T k="collection.again" />
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function hasOlder({ parts }: Prepared): boolean {
  return (parts.at(-1)?.next ?? null) !== null;
}

interface TermsProps {
  choice: CollectionChoice;
  error: GatewayError | null;
  isPending: boolean;
  onAsk: (body: PrepareCollection) => void;
}

/** Of bitcoin and its like: one address, and what a byte costs. */
function OutputTerms({ choice, error, isPending, onAsk }: TermsProps): ReactNode {
  const { locale } = useTexts();
  const [destination, setDestination] = useState('');
  const [rate, setRate] = useState('');
  const submit = () => {
    onAsk({
      blockchain: choice.slug,
      ...(destination.trim() !== '' && { destination: destination.trim() }),
      ...feeRateOf(rate, locale),
    });
  };
  return (
    <Form error={error} onSubmit={submit} actions={<Ask choice={choice} isPending={isPending} />}>
      <Field
        name="destination"
        label="collection.destination"
        hint="collection.destination-hint"
        value={destination}
        onChange={setDestination}
        autoComplete="off"
        spellCheck="false"
        dir="ltr"
      />
      <FeeRate value={rate} onChange={setRate} />
    </Form>
  );
}

/** Ten million dollars, in cents: the most that the gateway takes. */
const MOST = 1_000_000_000n;

/** Of EVM chains: which coins, and from what value on. Where it goes is fixed by the addresses themselves. */
function TreasuryTerms({ choice, error, isPending, onAsk }: TermsProps): ReactNode {
  const { coins, slug } = choice;
  const minimum = useAmount({ code: 'USD', decimals: 2, most: MOST });
  const [left, setLeft] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<GatewayError | null>(null);
  const isEmpty = minimum.written.trim() === '';
  const submit = () => {
    if (!isEmpty && minimum.atomic === null) {
      const errors = { minimum: [minimum.understood] };
      setRefusal(new GatewayError('validation_failed', '', { errors }));
      return;
    }
    onAsk({
      blockchain: slug,
      ...(left.length > 0 && { coins: coins.filter((code) => !left.includes(code)) }),
      ...(minimum.atomic !== null && { minimum: Number(minimum.atomic) }),
    });
  };
  return (
    <Form error={refusal ?? error} onSubmit={submit} actions={<Ask choice={choice} isPending={isPending} />}>
      {coins.length > 1 && (
        <fieldset className={parts['field']}>
          <legend>
            <T k="collection.coins" />
          </legend>
          {coins.map((code) => (
            <Check
              key={code}
              name="coins"
              value={code}
              isSelected={!left.includes(code)}
              onChange={(isOn) => setLeft(isOn ? left.filter((one) => one !== code) : [...left, code])}
            >
              {code}
            </Check>
          ))}
          <p className={parts['hint']}>
            <T k="collection.coins-hint" />
          </p>
        </fieldset>
      )}
      <Field
        name="minimum"
        label="collection.minimum"
        value={minimum.written}
        onChange={(written) => {
          setRefusal(null);
          minimum.setWritten(written);
        }}
        inputMode="decimal"
        autoComplete="off"
      />
      <p role="status" className={parts['hint']}>
        {isEmpty ? <T k="collection.minimum-hint" /> : !refusal && <Figures>{minimum.understood}</Figures>}
      </p>
    </Form>
  );
}

function Ask({ choice, isPending }: Pick<TermsProps, 'choice' | 'isPending'>): ReactNode {
  return (
    <div className={parts['actions']}>
      <Button type="submit" kind="first" isPending={isPending}>
        <Act act="collection.ask" what={choice.name} />
      </Button>
    </div>
  );
}
