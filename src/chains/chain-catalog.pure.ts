import type { Chain } from './chain.pure.js';
import { ADDRESS_FAMILIES, familyOf } from './chain-families.pure.js';
import { readFloors } from './floors.pure.js';
import { defaultTiers } from './required-confirmations.pure.js';

/** Every chain that the gateway can watch; the configuration selects those that it does watch. */
export const CHAIN_CATALOG: readonly Chain[] = ADDRESS_FAMILIES.flatMap(
  (family) => familyOf(family).chains,
).map((chain) => {
  const confirmationTiers = defaultTiers(chain.slug, chain.assets);
  const floors = readFloors(chain, []).read;
  return { ...chain, ...(confirmationTiers && { confirmationTiers }), ...(floors && { floors }) };
});
