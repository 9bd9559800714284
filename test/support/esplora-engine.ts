import type { EngineWorld } from './engine-world.js';
import { EsploraServer } from './esplora.js';
import { startUtxoNode, type UtxoNode } from './litecoind.js';
import { openUtxoShop } from './utxo-engine.js';

/** Seconds for which whoever answers HTTP 429 and names no time is left alone. */
const PAUSE = 5;

/** Milliseconds, a third of what an endpoint has: a busy machine must not look like one that hangs. */
const TIMEOUT = '700';

/** A world whose gateway reads the chain through an Esplora endpoint. */
export interface EsploraWorld extends EngineWorld {
  esplora: EsploraServer;
  /** The node behind it, which never lies. */
  node: UtxoNode;
}

/** Bitcoin in regtest, by an Esplora-shaped endpoint in front of a litecoind. */
export async function openEsploraWorld(): Promise<EsploraWorld> {
  const node = await startUtxoNode();
  const esplora = await EsploraServer.start(node);
  const world = await openUtxoShop(node, {
    CHAIN_BITCOIN_ESPLORA_URL: esplora.url,
    CHAIN_RPC_TIMEOUT_MS: TIMEOUT,
  });
  const { shop } = world;
  return {
    ...world,
    esplora,
    node,
    forget: async (txHash) => {
      esplora.tell(async (path, truth) => {
        if (path === `/tx/${txHash}/hex`) return { status: 404, body: 'Transaction not found' };
        if (path !== '/mempool/txids') return null;
        const { body, ...answer } = await truth();
        return { ...answer, body: (body as string[]).filter((hash) => hash !== txHash) };
      });
      return async () => esplora.tell(null);
    },
    breakAfter: (calls) => {
      let left = calls;
      esplora.tell((_path, truth) => (left-- > 0 ? truth() : { status: 503, body: '' }));
    },
    lied: () => esplora.lied,
    beHonest: () => {
      esplora.tell(null);
      shop.gateway.clock.advanceSeconds(PAUSE);
    },
    close: async () => {
      await shop.close();
      await esplora.stop();
      await node.stop();
    },
  };
}
