import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import styles from './parts.module.css';

interface DialogProps {
  title: MessageKey;
  /** Absent: it cannot be dismissed. */
  onClose?: () => void;
  children: ReactNode;
}

/** A question in front of the page. Loaded when the first one is asked (lazy-dialog.tsx). */
export default function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={() => onClose?.()}
      className={styles['overlay'] ?? ''}
    >
      <Modal>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <Heading slot="title">
            <T k={title} />
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
