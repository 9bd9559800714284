import { type ReactNode, useState } from 'react';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Act, Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';

interface TypedConfirmProps {
  /** Also what the button says. */
  title: MessageKey;
  text: string;
  /** What has to be typed. */
  expected: string;
  isPending: boolean;
  failure: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that hits another person: the address has to be typed. */
export function TypedConfirm(props: TypedConfirmProps): ReactNode {
  const { title, text, expected, isPending, failure, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLowerCase() === expected;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame) onConfirm();
        }}
      >
        <p>{text}</p>
        <Field
          label="users.type"
          labelValues={{ email: expected }}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          autoFocus
        />
        {failure}
        <div className={parts['actions']}>
          <Button type="submit" kind="danger" isDisabled={!isSame} isPending={isPending}>
            <Act act={title} what={expected} />
          </Button>
          <Button onPress={onClose}>
            <T k="dialog.back" />
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
