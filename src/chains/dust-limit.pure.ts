import type { Chain, ChainAsset } from './chain.pure.js';

/**
 * The smallest amount of an asset that a wallet can send on the chain, in the asset's smallest unit
 * (specification/chains.md#smallest-transfers).
 */
export function minTransferAmount(
  { dustLimit }: Pick<Chain, 'dustLimit'>,
  { asset }: Pick<ChainAsset, 'asset'>,
): bigint {
  return (asset === 'native' ? dustLimit : undefined) ?? 1n;
}
