import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';

interface FingerprintProps {
  /** Of the account key itself. */
  of: string;
  /** Of the master key, which most wallets show; null: it is not known. */
  master: string | null;
  /** Of the account in its wallet; null: it is not known. */
  path: string | null;
}

/** The fingerprint that a wallet shows, where it is known, and else that of the key, called so. */
export function Fingerprint({ of, master, path }: FingerprintProps): ReactNode {
  return (
    <>
      <T k={master === null ? 'wallets.fingerprint' : 'wallets.master'} />{' '}
      <code dir="ltr">{master ?? of}</code>
      {path !== null && (
        <>
          {' '}
          <code dir="ltr">{path}</code>
        </>
      )}
    </>
  );
}
