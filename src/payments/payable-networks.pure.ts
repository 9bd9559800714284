import type { AddressFamily, Chain } from '../chains/chain.pure.js';

/** What restricts the networks on which a payment may be paid. */
export interface Terms {
  /** Of the application; empty: every currency. */
  currencyWhitelist: readonly string[];
  /** The payment's own restriction; null: every chain. */
  blockchainSlug: string | null;
}

export interface PayableNetworks {
  /**
   * Address families, in the order of the chains; a wallet of any of them makes the payment payable. Empty: no wallet
   * would help, because no enabled network has a currency of the whitelist.
   */
  families: AddressFamily[];
  /** Real money may be involved: one of the networks is a main network. */
  livemode: boolean;
}

/** @param chains the chains that the gateway watches */
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
