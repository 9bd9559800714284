import { encryptedColumn } from '../platform/integrity/encrypted-column.js';
import type { KeyedColumn } from '../platform/integrity/key-rotation.service.js';
import { ApplicationEntity } from './application.entity.js';

/** Encryption purpose of webhook secrets; the context is the application's id. */
export const SECRET_PURPOSE = 'webhook-secret';

/** Webhook secrets, also those of deleted applications: they may be restored. */
export const ENCRYPTED_SECRETS: readonly KeyedColumn[] = [
  encryptedColumn(ApplicationEntity, 'id', 'sealedSecret', SECRET_PURPOSE),
  encryptedColumn(ApplicationEntity, 'id', 'sealedPreviousSecret', SECRET_PURPOSE),
];
