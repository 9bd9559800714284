import { type ReactNode, useContext, useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField, type TextFieldProps } from 'react-aria-components/TextField';
import { T } from '../i18n/text.js';
import type { MessageKey, TextValues } from '../i18n/message-key.pure.js';
import { Button } from './button.js';
import { reasonAtLabel } from './field-reasons.pure.js';
import { Figures } from './figures.js';
import { FormErrors } from './form-errors.js';
import { Icon } from './icons.js';
import { Act } from './lazy-dialog.js';
import styles from './parts.module.css';

interface FieldProps extends Omit<TextFieldProps, 'className' | 'children'> {
  label: MessageKey;
  labelValues?: TextValues;
  hint?: MessageKey;
}

/** One line of text with its label, its hint, and what the gateway says about it. @param dir of what is entered */
export function Field({ label, labelValues, hint, dir, ...props }: FieldProps): ReactNode {
  const errors = useContext(FormErrors)[props.name ?? ''] ?? [];
  return (
    <TextField {...props} isInvalid={errors.length > 0} className={styles['field'] ?? ''}>
      <Label>
        <T k={label} {...(labelValues && { values: labelValues })} />
      </Label>
      <Input dir={dir} />
      {hint && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          <T k={hint} />
        </Text>
      )}
      <FieldError className={styles['wrong'] ?? ''}>
        {<Figures>{errors.map(reasonAtLabel).join(' ')}</Figures>}
      </FieldError>
    </TextField>
  );
}

interface CheckProps {
  name?: string;
  value?: string;
  isSelected?: boolean;
  defaultSelected?: boolean;
  isDisabled?: boolean;
  onChange?: (isSelected: boolean) => void;
  children: ReactNode;
}

export function Check({ children, ...props }: CheckProps): ReactNode {
  return (
    <Checkbox {...props} className={styles['check'] ?? ''}>
      <span className={styles['box']}>
        <Icon tone="good" />
      </span>
      <span>{children}</span>
    </Checkbox>
  );
}

interface PickProps {
  label: MessageKey;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** One of a few. The browser's own control: the best one on phones, and none to load. */
export function Pick({ label, value, options, onChange }: PickProps): ReactNode {
  return (
    <label className={styles['field']}>
      <strong>
        <T k={label} />
      </strong>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The same with every choice in sight: a list that unfolds would cut a long amount. */
export function Choose({ label, value, options, onChange }: PickProps): ReactNode {
  return (
    <fieldset className={styles['field']}>
      <legend>
        <T k={label} />
      </legend>
      {options.map(([key, text]) => (
        <label key={key} className={styles['check']}>
          <input type="radio" checked={key === value} onChange={() => onChange(key)} />
          <span>
            <Figures>{text}</Figures>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface CopyProps {
  text: string;
  label?: MessageKey;
  /** The object and its figures, on the button. */
  what?: string;
}

/** A text to take along; where the browser copies nothing (without HTTPS, or without permission), by hand. */
export function Copy({ text, label = 'copy.copy', what }: CopyProps): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // Without HTTPS there is no clipboard at all.
      setOutcome('failed');
    }
  };
  return (
    <>
      <Button onPress={() => void copy()}>
        <span aria-live="polite">
          {outcome !== 'copied' && what !== undefined ? (
            <Act act={label} what={what} />
          ) : (
            <T k={outcome === 'copied' ? 'copy.copied' : label} />
          )}
        </span>
      </Button>
      {outcome === 'failed' && (
        <label className={styles['field']}>
          <span role="alert">
            <T k="copy.failed" />
          </span>
          <textarea readOnly dir="ltr" rows={3} value={text} ref={(field) => field?.select()} />
        </label>
      )}
    </>
  );
}
