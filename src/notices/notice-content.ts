import { encryptedColumn } from '../platform/integrity/encrypted-column.js';
import type { KeyedColumn } from '../platform/integrity/key-rotation.service.js';
import { type Keyring, UnsealError } from '../platform/kernel/keyring.js';
import type { Locale } from '../platform/kernel/i18n/locale.pure.js';
import { NoticeEntity } from './notice.entity.js';
import type { Said } from './notice-text.pure.js';

/** To whom a notice goes. What gives a right to it is looked up again when it is sent. */
export type Addressee =
  | { to: 'channel' }
  /** In an account where the user is its owner or a member; null: it is about the user. */
  | { to: 'user'; userId: string; accountId: string | null; language: Locale }
  | { to: 'operator'; userId: string; language: Locale }
  /** Who was invited, with the link. */
  | { to: 'address'; email: string; language: Locale; link: string }
  /** Who has asked for a new password; whether there is such a user is asked when the mail is sent. */
  | { to: 'forgotten'; email: string; language: Locale };

export interface NoticeContent {
  addressee: Addressee;
  said: Said;
}

/** Encryption purpose; the context is the id of the row. */
const PURPOSE = 'notice';

export const NOTICE_SECRETS: readonly KeyedColumn[] = [
  encryptedColumn(NoticeEntity, 'id', 'sealedContent', PURPOSE),
];

export function sealContent(keyring: Keyring, id: string, content: NoticeContent): string {
  return keyring.seal(PURPOSE, id, JSON.stringify(content));
}

/** Null: the gateway did not write it for this row, or its key is gone. */
export function openContent(keyring: Keyring, id: string, sealed: string | null): NoticeContent | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(keyring.unseal(PURPOSE, id, sealed)) as NoticeContent;
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}
