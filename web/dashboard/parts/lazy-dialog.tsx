import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { isolated } from '../i18n/format.pure.js';
import { T, useTexts } from '../i18n/text.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { Button } from './button.js';
import styles from './parts.module.css';
import { Figures } from './figures.js';
import { useOpenDialog } from './still.js';

const Loaded = lazy(() => import('./dialog.js'));

export function Dialog(props: ComponentProps<typeof Loaded>): ReactNode {
  useOpenDialog();
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

interface ConfirmProps {
  title: MessageKey;
  /** The object and its figures, in the sentence and on the button; null: they are being read. */
  what: string | null;
  text: string;
  confirm: MessageKey;
  isDanger?: boolean;
  isPending: boolean;
  failure?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { title, what, text, confirm, isDanger, isPending, failure, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <strong>
          <bdi>{what !== null && <Figures>{what}</Figures>}</bdi>
        </strong>
      </p>
      <p>{text}</p>
      {failure}
      <div className={styles['actions']}>
        <Button
          kind={isDanger ? 'danger' : 'first'}
          isDisabled={what === null}
          isPending={isPending}
          onPress={onConfirm}
        >
          <Act act={confirm} what={what} />
        </Button>
        <Button onPress={onClose}>
          <T k="dialog.back" />
        </Button>
      </div>
    </Dialog>
  );
}

/** What a button does, and to what: "Remove: Bitcoin, 73c5da0a". */
export function Act({ act, what }: { act: MessageKey; what: string | null }): ReactNode {
  const { text } = useTexts();
  if (what === null) return text(act);
  // One part of the button, whose parts stand beside each other.
  return (
    <span>
      <Figures>{text('dialog.act', { act: text(act), what: isolated(what) })}</Figures>
    </span>
  );
}
