import type { Chain } from './chain.pure.js';

/** What is known about an endpoint of a chain: how it shows transfers of the native coin. */
interface KnownEndpoint {
  state: string;
  /** Null before it was probed. */
  capabilities: { native: string } | null;
}

/**
 * Whether payments by contracts go unseen: every usable endpoint was probed, and none of them has traces. While one is
 * unknown nothing is hidden, because blocks are then not applied.
 */
export function hidesInternalTransfers(endpoints: readonly KnownEndpoint[]): boolean {
  const usable = endpoints.filter(({ state }) => state !== 'refused');
  return usable.length > 0 && usable.every(({ capabilities }) => capabilities?.native === 'transactions');
}

/** Whether the native coin is offered for new payments (specification/checkout.md#payment-methods). */
export function isNativeOffered(
  { nativeOffer }: Pick<Chain, 'nativeOffer'>,
  endpoints: readonly KnownEndpoint[],
): boolean {
  return nativeOffer === 'always' || !hidesInternalTransfers(endpoints);
}
