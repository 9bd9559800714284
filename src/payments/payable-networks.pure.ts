import type { AddressFamily, Chain } from '../chains/chain.pure.js';

/** What decides which networks a payment may be paid on. */
export interface Terms {
  /** Of the application; empty: every currency. */
  currencyWhitelist: readonly string[];
  /** The payment's own restriction; null: every chain. */
  blockchainSlug: string | null;
}

export interface PayableNetworks {
  /**
   * The address families of which one wallet is enough for the payment to be payable, in the order of the chains.
   * Empty: no wallet would help, because no enabled network carries a currency of the whitelist.
   */
  families: AddressFamily[];
  /** Real money may come: one of the networks is a main network. */
  livemode: boolean;
}

/** @param chains those that the gateway watches */
export function payableNetworks(
  chains: readonly Chain[],
  { currencyWhitelist, blockchainSlug }: Terms,
): PayableNetworks {
  const usable = chains.filter(
    ({ slug, assets }) =>
      (blockchainSlug === null || slug === blockchainSlug) &&
      assets.some(
        ({ currencyCode }) => currencyWhitelist.length === 0 || currencyWhitelist.includes(currencyCode),
      ),
  );
  return {
    families: [...new Set(usable.map(({ family }) => family))],
    livemode: usable.some(({ testnet }) => !testnet),
  };
}
