import type { ReactNode } from 'react';
import { T } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import type { Money } from '../i18n/format.pure.js';
import { type Prices, verdictOf } from './prepared.pure.js';

interface DearProps {
  arrives: readonly Money[];
  fee: Money | null;
  prices: Prices;
}

/** Says when something costs more than it brings. It is offered all the same: what it is worth to somebody is theirs to say. */
export function Dear({ arrives, fee, prices }: DearProps): ReactNode {
  if (verdictOf(arrives, fee, prices) !== 'costs-more') return null;
  return (
    <p className={parts['note']} data-tone="bad">
      <T k="collection.dear" />
    </p>
  );
}
