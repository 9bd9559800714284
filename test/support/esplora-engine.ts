import type { EngineHarness } from './engine-harness.js';
import { EsploraServer } from './esplora.js';
import { startUtxoNode, type UtxoNode } from './litecoind.js';
import { openUtxoShop } from './utxo-engine.js';

/** Seconds without requests after HTTP 429 without Retry-After, at most. */
const PAUSE = 60;

/** A harness whose gateway reads the chain through an Esplora endpoint. */
export interface EsploraHarness extends EngineHarness {
  esplora: EsploraServer;
  /** The node behind it, which is never faulty. */
  node: UtxoNode;
}

/** Bitcoin in regtest, by an Esplora-shaped endpoint in front of a litecoind. */
export async function openEsploraHarness(): Promise<EsploraHarness> {
  const node = await startUtxoNode();
  const esplora = await EsploraServer.start(node);
  const harness = await openUtxoShop(node, { CHAIN_BITCOIN_ESPLORA_URL: esplora.url });
  const { shop } = harness;
  return {
    ...harness,
    esplora,
    node,
    forget: async (txHash) => {
      esplora.setFaults(async (path, truth) => {
        if (path === `/tx/${txHash}/hex`) return { status: 404, body: 'Transaction not found' };
        if (path !== '/mempool/txids') return null;
        const { body, ...answer } = await truth();
        return { ...answer, body: (body as string[]).filter((hash) => hash !== txHash) };
      });
      return async () => esplora.setFaults(null);
    },
    breakAfter: (calls) => {
      let left = calls;
      esplora.setFaults((_path, truth) => (left-- > 0 ? truth() : { status: 503, body: '' }));
    },
    faulted: () => esplora.faulted,
    clearFaults: () => {
      esplora.setFaults(null);
      shop.gateway.clock.advanceSeconds(PAUSE);
    },
    close: async () => {
      await harness.close();
      await esplora.stop();
      await node.stop();
    },
  };
}
