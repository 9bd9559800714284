import type { ReactNode } from 'react';
import type { Wallet } from '../api/operations.js';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';

/** What the deposit addresses of a treasury are, and what must be kept to reach them without the gateway. */
export function OnlyTo({ treasury }: { treasury: NonNullable<Wallet['treasury']> }): ReactNode {
  const { address, namespace } = treasury;
  return (
    <>
      <p className={parts['hint']}>
        <T k="treasury.only-to" values={{ address }} />
      </p>
      <p className={parts['hint']}>
        <T k="treasury.keep" values={{ namespace }} />
      </p>
    </>
  );
}
