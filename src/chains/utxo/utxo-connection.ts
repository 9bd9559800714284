import type { Chain } from '../chain.pure.js';
import { type Connect, firstUrl } from '../chain-connection.js';
import { JsonRpc } from '../json-rpc.js';
import { CoreOutputs } from './core-outputs.js';
import { CoreScanner, SCAN_DEADLINE } from './core-scanner.js';
import { CoreSource } from './core-source.js';
import { EsploraHttp } from './esplora-http.js';
import { EsploraOutputs } from './esplora-outputs.js';
import { EsploraSource } from './esplora-source.js';
import { UtxoAdapter } from './utxo-adapter.js';
import { isUtxoFamily, utxoTraits } from './utxo-network.pure.js';

/** Multiple of a node's deadline: a public endpoint sends whole blocks over the Internet. */
const ESPLORA_DEADLINES = 3;
/** Bytes; enough for most blocks in hexadecimal. */
const USUAL_RESPONSE_BYTES = 32 * 2 ** 20;

export const connectUtxo: Connect = (chain, config, { deadlineMs, clock }) => {
  const maxResponseBytes = largestResponse(chain);
  if (config.esploraUrl !== undefined) {
    const options = { deadlineMs: ESPLORA_DEADLINES * deadlineMs, maxResponseBytes };
    const http = new EsploraHttp(config.esploraUrl, clock, options);
    return {
      adapter: new UtxoAdapter(chain, new EsploraSource(http, clock)),
      auditor: null,
      scanner: null,
      outputs: new EsploraOutputs(http),
      endpoints: () => [],
      close: () => http.close(),
    };
  }
  const url = firstUrl(chain, config);
  const node = new JsonRpc(url, { deadlineMs, maxResponseBytes, clock });
  const scanningNode = new JsonRpc(url, { deadlineMs: SCAN_DEADLINE, clock });
  return {
    adapter: new UtxoAdapter(chain, new CoreSource(node, clock)),
    auditor: null,
    scanner: new CoreScanner(scanningNode),
    outputs: new CoreOutputs(node),
    endpoints: () => [],
    close: async () => {
      await Promise.all([node.close(), scanningNode.close()]);
    },
  };
};

/** Bytes: the family's largest block, which has two letters a byte in hexadecimal, with its envelope. */
function largestResponse({ family }: Chain): number {
  if (!isUtxoFamily(family)) throw new Error(`${family} is not a family of UTXO chains`);
  return Math.max(USUAL_RESPONSE_BYTES, 2 * utxoTraits(family).maxBlockBytes + 1_000);
}
