import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Button } from './button.js';
import styles from './parts.module.css';

interface FindProps {
  label: MessageKey;
  value: string;
  onChange: (value: string) => void;
}

/** A text that is looked for once it is whole. */
export function Find({ label, value, onChange }: FindProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The address may change by the browser's buttons.
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return (
    <search>
      <form
        className={styles['find']}
        onSubmit={(event) => {
          event.preventDefault();
          onChange(field.current?.value.trim() ?? '');
        }}
      >
        <label htmlFor={id}>
          <T k={label} />
        </label>
        <input id={id} ref={field} type="search" maxLength={1_000} defaultValue={value} />
        <Button type="submit">
          <T k="payments.find" />
        </Button>
      </form>
    </search>
  );
}
