import type { ReactNode } from 'react';
import type { Wallet } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { GapLimit } from './gap-limit.js';
import parts from '../parts/parts.module.css';
import { useNetworks } from '../payments/payments.queries.js';

interface UseProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  wallet: Wallet;
}

/** Whether another program has used the key, and how far the merchant's wallet must look ahead. */
export function UseOfAddresses({ applicationId, wallet }: UseProps): ReactNode {
  const { locale } = useTexts();
  const { nameOf } = useNetworks();
  const { earlierUse, addressGap } = wallet;
  if (!earlierUse || !addressGap) return null;
  const { state, skippedAddresses, continuedAt, unseenOn } = earlierUse;
  return (
    <>
      {continuedAt !== null && (
        <p data-tone="warn" className={parts['note']}>
          <T
            k="wallets.used"
            // People count from 1.
            values={{ count: skippedAddresses, number: continuedAt + 1 }}
          />{' '}
          <T k="wallets.one-account" />
        </p>
      )}
      {state === 'unknown' && (
        <p className={parts['hint']}>
          <T k="wallets.used-unknown" />
        </p>
      )}
      {unseenOn.length > 0 && (
        <p className={parts['hint']}>
          <T
            k="wallets.used-unseen"
            values={{ chains: new Intl.ListFormat(locale).format(unseenOn.map(nameOf)) }}
          />
        </p>
      )}
      <GapLimit applicationId={applicationId} family={wallet.family} addressGap={addressGap} />
    </>
  );
}
