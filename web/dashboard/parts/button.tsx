import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useTexts } from '../i18n/text.js';
import styles from './parts.module.css';

interface OwnProps extends Omit<ButtonProps, 'className' | 'children' | 'isPending'> {
  kind?: 'first' | 'plain' | 'danger';
  /** It has been pressed, and keeps the focus while the gateway works. */
  isPending?: boolean;
  children: ReactNode;
}

export function Button({ kind = 'plain', isPending = false, children, ...props }: OwnProps): ReactNode {
  const { text } = useTexts();
  return (
    <AriaButton
      {...props}
      // Only when it is: React Aria would look for the bar below.
      {...(isPending && { isPending })}
      className={styles['button'] ?? ''}
      data-kind={kind}
    >
      {children}
      {isPending && <ProgressBar isIndeterminate aria-label={text('state.loading')} />}
    </AriaButton>
  );
}
