import { macColumn } from '../../platform/integrity/mac-column.js';
import type { KeyedColumn } from '../../platform/integrity/key-rotation.service.js';
import { PaymentTransferEntity, PLACE } from './payment-transfer.entity.js';

/** The MACs of the blocks that hold transfers. */
export const PLACE_MACS: readonly KeyedColumn[] = [
  macColumn(PaymentTransferEntity, 'placeMac', {
    ...PLACE,
    covered: ['chain', 'txHash', 'ordinal', 'blockHeight', 'blockHash', 'state'],
  }),
];
