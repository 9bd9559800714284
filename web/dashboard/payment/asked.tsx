import { type ReactNode, useState } from 'react';
import type { useWrite } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import { Failure } from '../parts/states.js';

interface AskedProps {
  button: MessageKey;
  question: MessageKey;
  kind: 'first' | 'plain' | 'danger';
  write: Pick<ReturnType<typeof useWrite>, 'isPending' | 'error' | 'reset'>;
  onConfirm: (options: { onSuccess: () => void }) => void;
}

/** A button whose effect cannot be undone. */
export function Asked({ button, question, kind, write, onConfirm }: AskedProps): ReactNode {
  const { text } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    write.reset();
  };
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        <T k={button} />
      </Button>
      {isOpen && (
        <Confirm
          title={button}
          text={text(question)}
          confirm={button}
          isDanger={kind === 'danger'}
          isPending={write.isPending}
          failure={write.error && <Failure error={write.error} />}
          onConfirm={() => onConfirm({ onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
