import type { ReactNode } from 'react';
import { Icon } from './icons.js';
import type { Tone } from './tone.pure.js';
import styles from './parts.module.css';

/** A short state: color, icon and word together. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className={styles['pill']} data-tone={tone}>
      <Icon tone={tone} />
      {children}
    </span>
  );
}
