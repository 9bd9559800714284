import { ApplicationsApi } from './applications-api.js';
import { createClientToken } from './client-tokens.js';
import { type FakeRateSources, startFakeRateSources } from './fake-rate-sources.js';
import { createOwner, type Owner } from './principals.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

/** A gateway for tests of catalog and rates: no chain responds, and tests set the responses of rate sources. */
export interface CatalogHarness {
  sources: FakeRateSources;
  gateway: TestGateway;
  /** With a client token, which outlives the hours that tests jump over. */
  reader: Owner;
  close(): Promise<void>;
}

export async function openCatalogHarness(env: Record<string, string> = {}): Promise<CatalogHarness> {
  const sources = await startFakeRateSources();
  const gateway = await startTestGateway({
    // No node listens there: the catalog needs none.
    CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
    RATES_KRAKEN_URL: sources.krakenUrl,
    RATES_COINBASE_URL: sources.coinbaseUrl,
    RATES_TIMEOUT_MS: '30000',
    ...env,
  });
  const merchant = await createOwner(gateway);
  const { id } = await new ApplicationsApi(gateway, merchant).create();
  const { token } = await createClientToken(gateway, merchant, id, { scopes: ['payments.get'] });
  return {
    sources,
    gateway,
    reader: { ...merchant, accessToken: token },
    close: async () => {
      await gateway.close();
      await sources.close();
    },
  };
}
