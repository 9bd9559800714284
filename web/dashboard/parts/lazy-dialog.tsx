import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { T } from '../i18n/text.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { Button } from './button.js';
import styles from './parts.module.css';

const Loaded = lazy(() => import('./dialog.js'));

export function Dialog(props: ComponentProps<typeof Loaded>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

interface ConfirmProps {
  title: MessageKey;
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
  const { title, text, confirm, isDanger, isPending, failure, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {failure}
      <div className={styles['actions']}>
        <Button kind={isDanger ? 'danger' : 'first'} isPending={isPending} onPress={onConfirm}>
          <T k={confirm} />
        </Button>
        <Button onPress={onClose}>
          <T k="dialog.back" />
        </Button>
      </div>
    </Dialog>
  );
}
