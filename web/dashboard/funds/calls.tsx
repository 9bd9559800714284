import type { ReactNode } from 'react';
import type { TreasuryCollection, UnsignedCall } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Dear } from './dear.js';
import { Fee } from './fee.js';
import { Owner } from './owner.js';
import { type Prices, sumsOf } from './prepared.pure.js';

/** What any wallet can send, as it stands. */
export function Calls({
  calls,
  prices,
}: {
  calls: readonly TreasuryCollection[];
  prices: Prices;
}): ReactNode {
  const { money, locale } = useTexts();
  if (calls.length === 0) return null;
  return (
    <section>
      <h3>
        <T k="collection.send" />
      </h3>
      <p className={parts['hint']}>
        <T k="collection.send-how" />{' '}
        <a href="/collector" target="_blank" rel="noopener noreferrer">
          <T k="treasury.collect-page" />
        </a>
      </p>
      <ul className={parts['stack']}>
        {calls.map((call) => {
          const sums = sumsOf(call.expected);
          const amounts = new Intl.ListFormat(locale).format(sums.map(money));
          return (
            <li key={call.data} className={parts['card']}>
              <p>
                <T k="collection.brings" values={{ amounts, count: call.deposits }} /> <Fee of={call.fee} />
              </p>
              <Dear arrives={sums} fee={call.fee} prices={prices} />
              <p>
                <T k="collection.goes" /> <code dir="ltr">{call.treasury}</code> <Owner of={call.keyOwner} />
              </p>
              <Call call={call} gasLimit={call.gasLimit} what={amounts} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The contract that collects is not on the chain yet; anybody may put it there, once. */
export function Deployment({ call, network }: { call: UnsignedCall; network: string }): ReactNode {
  return (
    <section className={parts['note']} data-tone="warn">
      <p>
        <T k="collection.deploy" values={{ network }} />
      </p>
      <Call call={call} what={network} />
    </section>
  );
}

interface CallProps {
  call: UnsignedCall;
  /** Null: not known; undefined: the wallet's own will do. */
  gasLimit?: number | null;
  /** On the button. */
  what: string;
}

function Call({ call: { to, data, value }, gasLimit, what }: CallProps): ReactNode {
  const whole = { to, data, value, ...(typeof gasLimit === 'number' && { gasLimit }) };
  return (
    <>
      <dl className={parts['facts']}>
        <div>
          <dt>
            <T k="collection.to" />
          </dt>
          <dd>
            <code dir="ltr">{to}</code>
          </dd>
        </div>
        <div>
          <dt>
            <T k="collection.value" />
          </dt>
          <dd>
            <code dir="ltr">{value}</code>
          </dd>
        </div>
        {gasLimit !== undefined && (
          <div>
            <dt>
              <T k="collection.gas" />
            </dt>
            <dd>
              {gasLimit === null ? <T k="collection.gas-unknown" /> : <code dir="ltr">{gasLimit}</code>}
            </dd>
          </div>
        )}
      </dl>
      <details>
        <summary>
          <T k="collection.data" />
        </summary>
        <pre dir="ltr">{data}</pre>
        <div className={parts['actions']}>
          <Copy text={data} />
        </div>
      </details>
      <div className={parts['actions']}>
        <Copy text={JSON.stringify(whole)} label="collection.copy-call" what={what} />
      </div>
    </>
  );
}
