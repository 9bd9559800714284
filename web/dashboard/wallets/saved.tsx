import type { ReactNode } from 'react';
import type { Wallet } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { Addresses } from './addresses.js';
import { OnlyTo } from './only-to.js';
import { UseOfAddresses } from './use-of-addresses.js';

interface SavedProps {
  /** Null: a default wallet. */
  applicationId: string | null;
  wallet: Wallet;
  /** Derived on this page. */
  expected: readonly string[];
  onClose: () => void;
}

/** What the gateway made of it; it derives the addresses by itself, and they have to be the same. */
export function Saved({ applicationId, wallet, expected, onClose }: SavedProps): ReactNode {
  const { time } = useTexts();
  const { kind, pending, previewAddresses } = wallet;
  const isOther = pending === null && previewAddresses.join() !== expected.join();
  const isTreasury = pending === null ? kind === 'treasury' : pending.treasury !== null;
  return (
    <div role="status">
      <p className={parts['note']} data-tone={isOther ? 'bad' : pending ? 'calm' : 'good'}>
        {isOther ? (
          <T k={isTreasury ? 'treasury.differ' : 'wallets.differ'} />
        ) : pending ? (
          <T
            k={isTreasury ? 'treasury.later' : 'wallets.later'}
            values={{ time: time(pending.effectiveAt) }}
          />
        ) : (
          <T k={isTreasury ? 'treasury.saved' : 'wallets.saved'} />
        )}
      </p>
      {!isOther && pending === null && wallet.treasury && (
        <>
          <Addresses addresses={previewAddresses} />
          <OnlyTo treasury={wallet.treasury} />
        </>
      )}
      {!isOther && pending === null && <UseOfAddresses applicationId={applicationId} wallet={wallet} />}
      <div className={parts['actions']}>
        <Button kind="first" onPress={onClose}>
          <T k="dialog.done" />
        </Button>
      </div>
    </div>
  );
}
