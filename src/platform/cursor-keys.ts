import { encryptedColumn } from './integrity/encrypted-column.js';
import type { KeyedColumn } from './integrity/key-rotation.service.js';
import { CursorKeyEntity } from './web/cursors/cursor-key.entity.js';
import { CURSOR_KEY_PURPOSE } from './web/cursors/cursors.service.js';

/** For `reseal-secrets`. */
export const CURSOR_KEYS: readonly KeyedColumn[] = [
  encryptedColumn(CursorKeyEntity, 'id', 'sealedKey', CURSOR_KEY_PURPOSE),
];
