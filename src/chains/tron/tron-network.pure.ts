/** Networks of Tron, identified by their first block. */
export type TronNetworkName = 'mainnet' | 'nile' | 'shasta';

/**
 * The id of block 0. Its last four bytes are the chain id of the network's Ethereum-like interface:
 * 0x2b6653dc, 0xcd8690dc, 0x94a9059e (TIP-474).
 */
const GENESIS_IDS: Readonly<Record<TronNetworkName, string>> = {
  mainnet: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  nile: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
  shasta: '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e',
};

export function tronGenesisId(network: TronNetworkName): string {
  return GENESIS_IDS[network];
}

export function isTronNetwork(name: string): name is TronNetworkName {
  return Object.hasOwn(GENESIS_IDS, name);
}
