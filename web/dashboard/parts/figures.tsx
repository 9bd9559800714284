import type { ReactNode } from 'react';
import { numberSize } from '../../../src/platform/web/html/number-size.pure.js';
import { AMOUNTS } from '../i18n/format.pure.js';
import styles from './parts.module.css';

/** A text in which no line breaks an amount (formatMoney); a long one gets smaller where its box is narrow. */
export function Figures({ children }: { children: string }): ReactNode {
  const pieces = children.split(AMOUNTS);
  if (pieces.length === 1) return children;
  return pieces.map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <bdi key={index} dir="ltr" className={styles['number']} data-figure={numberSize(piece) ?? ''}>
        {piece}
      </bdi>
    ),
  );
}
