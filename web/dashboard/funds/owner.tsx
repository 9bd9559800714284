import type { ReactNode } from 'react';
import type { Derivation } from '../api/operations.js';
import { T } from '../i18n/text.js';
import { OWNERS } from '../wallets/key-owners.js';

/** Whose wallet it is of; somebody else's is never shown as fine. */
export function Owner({ of }: { of: Derivation['keyOwner'] }): ReactNode {
  return (
    <strong data-owner={of}>
      <T k={OWNERS[of]} />
    </strong>
  );
}
