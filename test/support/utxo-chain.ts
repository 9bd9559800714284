import { randomBytes } from 'node:crypto';
import type { Chain } from '../../src/chains/chain.pure.js';
import { JsonRpc, type JsonRpcOptions } from '../../src/chains/json-rpc.js';
import { CoreSource } from '../../src/chains/utxo/core-source.js';
import { EsploraHttp, type EsploraOptions } from '../../src/chains/utxo/esplora-http.js';
import { EsploraSource } from '../../src/chains/utxo/esplora-source.js';
import { UtxoAdapter } from '../../src/chains/utxo/utxo-adapter.js';
import type { UtxoFamily, UtxoNetworkName } from '../../src/chains/utxo/utxo-network.pure.js';
import { TestClock } from './test-clock.js';

/** Makes adapters and closes their connections together. */
export class UtxoAdapters {
  readonly clock = new TestClock();
  private readonly connections: { close(): Promise<void> }[] = [];

  create(
    url: string,
    family: UtxoFamily = 'bitcoin',
    network: UtxoNetworkName = 'regtest',
    options: JsonRpcOptions & Pick<Chain, 'minDifficulty'> = {},
  ): UtxoAdapter {
    const { minDifficulty = 0, ...rest } = options;
    const rpc = new JsonRpc(url, { clock: this.clock, ...rest });
    this.connections.push(rpc);
    const chain = { ...utxoChain(family, network), minDifficulty };
    return new UtxoAdapter(chain, new CoreSource(rpc, this.clock));
  }

  createEsplora(
    url: string,
    family: UtxoFamily = 'bitcoin',
    network: UtxoNetworkName = 'regtest',
    options: EsploraOptions = {},
  ): UtxoAdapter {
    const http = new EsploraHttp(url, this.clock, options);
    this.connections.push(http);
    return new UtxoAdapter(utxoChain(family, network), new EsploraSource(http, this.clock));
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

function utxoChain(family: UtxoFamily, network: UtxoNetworkName): Chain {
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

/** An unused script: pay to a witness key hash (BIP141). */
export function newScriptKey(): Buffer {
  return Buffer.concat([Buffer.from('0014', 'hex'), randomBytes(20)]);
}
