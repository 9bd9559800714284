import type { ReactNode } from 'react';
import type { DepositAddress, Payment } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Copy } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { OWNERS } from '../wallets/key-owners.js';
import { useAddresses } from './payment.queries.js';

/** Where the money goes: the addresses, and where the merchant's own wallet has them. */
export function Where({ payment }: { payment: Payment }): ReactNode {
  const addresses = useAddresses(payment.id);
  return (
    <section className={parts['card']}>
      <h2>
        <T k="where.title" />
      </h2>
      <Loaded query={addresses} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={parts['hint']}>
              <T k="where.none" />
            </p>
          ) : (
            <ul className={parts['stack']}>
              {data.map((one) => (
                <Address key={one.address} address={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Address({ address: { address, derivation } }: { address: DepositAddress }): ReactNode {
  // The document says how wallets show the path only since later versions of the gateway.
  const { walletPath } = derivation as Partial<Record<'walletPath', string | null>>;
  const { keyFingerprint, masterFingerprint, keyOwner, treasury, index } = derivation;
  const facts: readonly (readonly [MessageKey, string])[] = treasury
    ? [
        ['treasury.address', treasury.address],
        ['treasury.namespace', treasury.namespace],
        ['where.index', String(index)],
      ]
    : [
        masterFingerprint === null
          ? ['wallets.fingerprint', keyFingerprint]
          : ['wallets.master', masterFingerprint],
        ['where.path', walletPath ?? derivation.path ?? ''],
      ];
  return (
    <li>
      <code dir="ltr">{address}</code>
      <p
        className={parts['note']}
        data-tone={keyOwner === 'operator' ? 'warn' : 'good'}
        data-owner={keyOwner}
      >
        <T k={OWNERS[keyOwner]} />
      </p>
      <dl className={parts['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>
              <T k={name} />
            </dt>
            <dd>
              <code dir="ltr">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <div className={parts['actions']}>
        <Copy text={address} label="where.copy" />
      </div>
    </li>
  );
}
