import type { ReactNode } from 'react';
import type { Wallet } from '../api/operations.js';
import { useWrite } from '../api/use-api.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { WALLETS_THAT_WORK } from './wallets-that-work.js';
import { walletOperations, walletPath } from './wallet-operations.js';

interface GapProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  family: string;
  addressGap: NonNullable<Wallet['addressGap']>;
}

/** How far the merchant's wallet must look ahead, until they say that it does. */
export function GapLimit({ applicationId, family, addressGap }: GapProps): ReactNode {
  const operation = walletOperations(applicationId).stateGap;
  const state = useWrite(operation);
  const { longest, gapLimit, statedGapLimit } = addressGap;
  if (longest < statedGapLimit) return null;
  const request = { path: walletPath(applicationId, family), body: { gapLimit } };
  return (
    <>
      <p className={parts['hint']}>
        <T k="wallets.gap" values={{ longest, limit: gapLimit }} />{' '}
        <a
          href={`${WALLETS_THAT_WORK}#a-payment-that-the-wallet-does-not-show`}
          target="_blank"
          rel="noreferrer"
        >
          <T k="wallets.gap-how" />
        </a>
      </p>
      {state.error && <Failure error={state.error} />}
      <Allowed to={operation}>
        <div className={parts['actions']}>
          <Button isPending={state.isPending} onPress={() => state.mutate(request)}>
            <T k="wallets.gap-set" values={{ limit: gapLimit }} />
          </Button>
        </div>
      </Allowed>
    </>
  );
}
