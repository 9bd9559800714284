import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import styles from './parts.module.css';

export function Chips({ label, children }: { label: MessageKey; children: ReactNode }): ReactNode {
  const { text } = useTexts();
  return (
    <div role="group" aria-label={text(label)} className={styles['chips']}>
      {children}
    </div>
  );
}

interface ChipProps {
  name: MessageKey;
  /** Zero: not shown. */
  count?: number;
  isOn: boolean;
  onPress: () => void;
}

/** One filter, on or off. */
export function Chip({ name, count = 0, isOn, onPress }: ChipProps): ReactNode {
  const texts = useTexts();
  return (
    <button type="button" aria-pressed={isOn} onClick={onPress}>
      <T k={name} />
      {count > 0 && <strong> {texts.count(count)}</strong>}
    </button>
  );
}
