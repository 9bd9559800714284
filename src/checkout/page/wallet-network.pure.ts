import type { Chain } from '../../chains/chain.pure.js';
import { isTronNetwork, tronGenesisId } from '../../chains/tron/tron-network.pure.js';

/**
 * What a wallet of the browser has to be told about a network besides its chain id, as the script of the page reads it:
 * how to add it (EIP-3085), or by which first block it is recognized (Tron).
 */
export type WalletNetwork =
  | {
      chainName: string;
      rpcUrls: readonly string[];
      nativeCurrency: { name: string; symbol: string; decimals: number };
    }
  | { genesis: string };

/**
 * @param walletRpcUrls of the operator, for wallets of customers; empty: none, and wallets must have the network
 * @returns null: there is nothing to tell
 */
export function walletNetworkOf(
  { family, network, name, assets }: Pick<Chain, 'family' | 'network' | 'name' | 'assets'>,
  walletRpcUrls: readonly string[],
): WalletNetwork | null {
  if (family === 'tron')
    return network !== undefined && isTronNetwork(network) ? { genesis: tronGenesisId(network) } : null;
  const native = assets.find(({ asset }) => asset === 'native');
  if (family !== 'evm' || walletRpcUrls.length === 0 || !native) return null;
  const { currencyCode: symbol, decimals } = native;
  return { chainName: name, rpcUrls: walletRpcUrls, nativeCurrency: { name: symbol, symbol, decimals } };
}
