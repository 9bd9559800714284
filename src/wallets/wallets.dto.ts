import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { NotFoundError } from '../platform/errors/errors.pure.js';
import { IsNullableField, IsOptionalField, IsText } from '../platform/contract/validation.js';
import type { WalletFields, WalletView } from './wallets.service.js';

/** Body of PUT /api/payment-applications/{id}/wallets/{family} and of PUT /api/account/wallets/{family}. */
export class PutWalletDto implements WalletFields {
  /** Long enough for whatever people paste by mistake, so that the message can say what it is. */
  @IsText(1, 4_096)
  extendedPublicKey: string;

  /** Only where the key leaves it open, so never for evm and tron: see ScriptType. */
  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 32)
  scriptType?: string | null;
}

/**
 * The family of a path, in any case.
 * @throws NotFoundError when there is no such family
 */
export function parseFamily(segment: string): AddressFamily {
  const name = segment.toLowerCase();
  const family = ADDRESS_FAMILIES.find((supported) => supported === name);
  if (!family) throw new NotFoundError('not_found', 'Wallet family not found', describeFamilies(name));
  return family;
}

/** A chain or a coin in place of its family is the usual mistake. */
function describeFamilies(name: string): string {
  const families = `The families are ${ADDRESS_FAMILIES.join(', ')}`;
  const meant = CHAIN_CATALOG.find(
    ({ slug, assets }) =>
      slug === name || assets.some(({ currencyCode }) => currencyCode.toLowerCase() === name),
  );
  return meant ? `${families}; did you mean ${meant.family}?` : `${families}.`;
}

/** A wallet with its key masked (specification/wallets.md#wallets). */
export function toWalletDto(wallet: WalletView) {
  return {
    family: wallet.family,
    scriptType: wallet.scriptType,
    extendedPublicKey: wallet.maskedKey,
    fingerprint: wallet.fingerprint,
    nextIndex: wallet.nextIndex,
    previewAddresses: wallet.previewAddresses,
    createdAt: toIsoSeconds(wallet.createdAt),
  };
}
