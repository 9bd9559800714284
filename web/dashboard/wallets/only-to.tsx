import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';

/** What the deposit addresses of a treasury are. */
export function OnlyTo({ address }: { address: string }): ReactNode {
  return (
    <p className={parts['hint']}>
      <T k="treasury.only-to" values={{ address }} />
    </p>
  );
}
