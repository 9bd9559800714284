import type { AddressFamily } from './chain.pure.js';
import type { ChainFamily } from './chain-family.pure.js';
import { EVM_FAMILY } from './evm/evm-family.pure.js';
import { TRON_FAMILY } from './tron/tron-family.pure.js';
import { UTXO_FAMILIES } from './utxo/utxo-family.pure.js';

/** In the order in which the API lists them. */
const FAMILIES: Readonly<Record<AddressFamily, ChainFamily>> = {
  evm: EVM_FAMILY,
  ...UTXO_FAMILIES,
  tron: TRON_FAMILY,
};

/** Families whose wallets the API accepts (specification/wallets.md#wallets). */
export const ADDRESS_FAMILIES = Object.keys(FAMILIES) as readonly AddressFamily[];

export function familyOf(family: AddressFamily): ChainFamily {
  return FAMILIES[family];
}
