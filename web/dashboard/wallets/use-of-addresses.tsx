import type { ReactNode } from 'react';
import type { Wallet } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { useNetworks } from '../payments/payments.queries.js';

/** What most wallets have anyway. */
const USUAL_GAP_LIMIT = 20;

/** Whether another program has used the key, and how far the merchant's wallet must look ahead. */
export function UseOfAddresses({ wallet }: { wallet: Wallet }): ReactNode {
  const { locale } = useTexts();
  const { nameOf } = useNetworks();
  const { earlierUse, addressGap } = wallet;
  if (!earlierUse || !addressGap) return null;
  const { state, skippedAddresses, continuedAt, unseenOn } = earlierUse;
  const { longest, gapLimit } = addressGap;
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
      {gapLimit > USUAL_GAP_LIMIT && (
        <p className={parts['hint']}>
          <T k="wallets.gap" values={{ longest, limit: gapLimit }} />
        </p>
      )}
    </>
  );
}
