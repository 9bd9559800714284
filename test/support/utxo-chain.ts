import { randomBytes } from 'node:crypto';
import type { Chain } from '../../src/chains/chain-catalogue.js';
import { JsonRpc, type JsonRpcOptions } from '../../src/chains/json-rpc.js';
import { UtxoAdapter } from '../../src/chains/utxo/utxo-adapter.js';
import type { UtxoNetworkName } from '../../src/chains/utxo/utxo-network.js';

/** Makes adapters and closes their connections together. */
export class UtxoAdapters {
  private readonly clients: JsonRpc[] = [];

  create(
    url: string,
    family: 'bitcoin' | 'litecoin' = 'bitcoin',
    network: UtxoNetworkName = 'regtest',
    options: JsonRpcOptions = {},
  ): UtxoAdapter {
    const rpc = new JsonRpc(url, options);
    this.clients.push(rpc);
    return new UtxoAdapter(utxoChain(family, network), rpc);
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function utxoChain(family: 'bitcoin' | 'litecoin', network: UtxoNetworkName): Chain {
  return {
    slug: family,
    name: family,
    family,
    chainId: null,
    network,
    testnet: true,
    assets: [{ asset: 'native', currencyCode: 'BTC', decimals: 8, tokenStandard: null }],
    confirmationsRequired: 2,
    averageBlockSeconds: 600,
    reorgWindow: 144,
    explorerTxUrl: null,
  };
}

/** A script that nobody has used: pay to a witness key hash (BIP141). */
export function newScriptKey(): Buffer {
  return Buffer.concat([Buffer.from('0014', 'hex'), randomBytes(20)]);
}
