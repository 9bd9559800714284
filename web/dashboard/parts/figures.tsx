import type { ReactNode } from 'react';
import { HYPHENATED, numberSize } from '../../../src/platform/web/html/number-size.pure.js';
import { AMOUNTS } from '../i18n/format.pure.js';
import styles from './parts.module.css';

/**
 * A text in which no line breaks an amount (formatMoney) or a name at its hyphen; a long amount gets smaller where its box
 * is narrow.
 */
export function Figures({ children }: { children: string }): ReactNode {
  return children.split(AMOUNTS).map((piece, index) =>
    index % 2 === 0 ? (
      <Names key={index}>{piece}</Names>
    ) : (
      <bdi key={index} dir="ltr" className={styles['number']} data-figure={numberSize(piece) ?? ''}>
        {piece}
      </bdi>
    ),
  );
}

function Names({ children }: { children: string }): ReactNode {
  return children.split(HYPHENATED).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className={styles['whole']}>
        {piece}
      </span>
    ),
  );
}
