import type { ReactNode } from 'react';
import type { Money } from '../i18n/format.pure.js';
import { T, useTexts } from '../i18n/text.js';

/** What the network takes. @param of null: it is not known, which is not nothing */
export function Fee({ of }: { of: Money | null }): ReactNode {
  const { money } = useTexts();
  return of === null ? (
    <T k="collection.fee-unknown" />
  ) : (
    <T k="collection.fee" values={{ fee: money(of) }} />
  );
}
