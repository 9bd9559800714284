import { macColumn } from '../../platform/integrity/mac-column.js';
import type { KeyedColumn } from '../../platform/integrity/key-rotation.service.js';
import type { Keyring } from '../../platform/kernel/keyring.js';
import { OWN_TRANSFER, OwnTransferEntity } from '../own-funds/own-transfer.entity.js';
import {
  PaymentTransferEntity,
  PLACE,
  PLACED_FIELDS,
  type PlacedTransfer,
} from './payment-transfer.entity.js';

/** The MACs of the blocks that hold transfers, and of what the merchant's own account sent. */
export const PLACE_MACS: readonly KeyedColumn[] = [
  macColumn(PaymentTransferEntity, 'placeMac', { ...PLACE, covered: PLACED_FIELDS }),
  macColumn(OwnTransferEntity, 'mac', OWN_TRANSFER),
];

export function placeMac(keyring: Keyring, transfer: Omit<PlacedTransfer, 'placeMac'>): string {
  return keyring.mac(PLACE.purpose, PLACE.fieldsOf(transfer));
}

/** Whether the gateway has seen a transfer in the block that its row names, and deep enough if the row says so. */
export function isPlaced(keyring: Keyring, transfer: PlacedTransfer): boolean {
  if (transfer.blockHeight === null && transfer.state !== 'confirmed') return true;
  return keyring.isMacOf(PLACE.purpose, PLACE.fieldsOf(transfer), transfer.placeMac);
}
