import type { AddressFamily } from '../chains/chain.pure.js';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';

/**
 * Returns the family that a path segment names, in any letter case.
 * @throws NotFoundError when there is no such family
 */
export function parseFamily(segment: string): AddressFamily {
  const name = segment.toLowerCase();
  const family = ADDRESS_FAMILIES.find((supported) => supported === name);
  if (!family) throw new NotFoundError('not_found', 'Wallet family not found', describeFamilies(name));
  return family;
}

/** Suggests the family when the path names a chain or a coin. */
function describeFamilies(name: string): string {
  const families = `The families are ${ADDRESS_FAMILIES.join(', ')}`;
  const meant = CHAIN_CATALOG.find(
    ({ slug, assets }) =>
      slug === name || assets.some(({ currencyCode }) => currencyCode.toLowerCase() === name),
  );
  return meant ? `${families}; did you mean ${meant.family}?` : `${families}.`;
}
