import type { KeyedColumn } from './key-rotation.service.js';
import { macColumn } from './mac-column.js';
import { AuditAnchorEntity } from './audit-anchor.entity.js';
import { AuditLogEntity } from './audit-log.entity.js';
import { ANCHOR_MAC, ENTRY_MAC } from './audit-macs.service.js';

/** The MACs of the audit log; that of its end last, because the rotation itself appends. */
export const AUDIT_MACS: readonly KeyedColumn[] = [
  macColumn(AuditLogEntity, 'mac', { ...ENTRY_MAC, key: 'seq' }),
  macColumn(AuditAnchorEntity, 'mac', { ...ANCHOR_MAC, key: 'onlyOne' }),
];
