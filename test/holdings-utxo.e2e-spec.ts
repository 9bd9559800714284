import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { HoldingContract } from '../src/collections/holding.contract.js';
import { describeWithLitecoin } from './support/litecoind.js';
import type { RpcHarness } from './support/rpc-faults.js';
import { openUtxoHarness } from './support/utxo-engine.js';

/** Smallest units for each virtual byte, of which an input of p2wpkh has 68. */
const FEE_RATE = 3;
const COST = 68 * FEE_RATE;

describeWithLitecoin('holdings of outputs', () => {
  let harness: RpcHarness;

  beforeAll(async () => {
    harness = await openUtxoHarness();
  });
  afterAll(() => harness?.close());

  it('cost an input each, by the estimate of the node, and nothing known without one', async () => {
    const { shop, driver, keyOf, confirmations, faulty } = harness;
    const application = await shop.application();
    const amounts = [COST, COST + 1, 1_000_000].map(BigInt);
    for (const amount of amounts) {
      const instructions = await shop.instructions(await shop.createPayment(application), 'btc', 'bitcoin');
      await driver.pay([{ key: keyOf(instructions), amount }]);
    }
    await driver.mine(confirmations);
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    const read = async () => {
      shop.gateway.clock.advanceSeconds(61);
      const path = `/api/payment-applications/${application.id}/holdings`;
      return (await shop.call<HoldingContract[]>('GET', path, shop.owner.accessToken)).body.data[0];
    };
    // A new node has no estimate.
    expect(await read()).toMatchObject({ addressCount: 3, collecting: null, worth: { atomic: '50020' } });
    faulty.setFaults({
      estimatesmartfee: async ({ id }) => ({ id, result: { feerate: 0.00003, blocks: 6 } }),
    });
    expect((await read())?.collecting).toMatchObject({
      costPerAddress: { atomic: String(COST), currency: { code: 'BTC' } },
      collectableFrom: { atomic: String(COST + 1) },
      collectableAddressCount: 2,
      collectableAmount: { atomic: String(COST + 1 + 1_000_000) },
      totalCost: { atomic: String(2 * COST) },
      // 408 sat at 50,000 dollars are 20.4 cents.
      totalCostWorth: { atomic: '21' },
    });
  });
});
