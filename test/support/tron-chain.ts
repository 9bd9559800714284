import type { Chain } from '../../src/chains/chain.pure.js';
import { TronAdapter } from '../../src/chains/tron/tron-adapter.js';
import { TronApi, type TronApiOptions } from '../../src/chains/tron/tron-api.js';
import type { TronNetworkName } from '../../src/chains/tron/tron-network.pure.js';

interface Settings extends TronApiOptions {
  network?: TronNetworkName;
  /** Contracts as the catalog has them: 0x and 40 digits. */
  tokens?: readonly string[];
  apiKey?: string;
}

/** Makes adapters and closes their connections together. */
export class TronAdapters {
  private readonly clients: TronApi[] = [];

  create(url: string, { network = 'nile', tokens = [], apiKey, ...options }: Settings = {}): TronAdapter {
    const api = new TronApi(url, apiKey, options);
    this.clients.push(api);
    return new TronAdapter(tronChain(network, tokens), api);
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function tronChain(network: TronNetworkName, tokens: readonly string[]): Chain {
  return {
    slug: 'tron',
    name: 'Tron',
    family: 'tron',
    chainId: null,
    network,
    testnet: true,
    assets: [
      { asset: 'native', currencyCode: 'TRX', decimals: 6, tokenStandard: null },
      ...tokens.map((asset) => ({
        asset,
        currencyCode: 'USDT',
        decimals: 6,
        tokenStandard: 'TRC-20' as const,
      })),
    ],
    confirmationsRequired: 20,
    finality: 'finalized',
    requiredTags: ['finalized'],
    blocksToFinality: { finalized: 20 },
    averageBlockSeconds: 3,
    reorgWindow: 128,
    explorerTxUrl: null,
  };
}
