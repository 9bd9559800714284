import type { ReactNode } from 'react';
import styles from './wallets.module.css';

/** The first addresses, to compare character by character. */
export function Addresses({ addresses }: { addresses: readonly string[] }): ReactNode {
  return (
    <ol className={styles['addresses']} dir="ltr">
      {addresses.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
    </ol>
  );
}
