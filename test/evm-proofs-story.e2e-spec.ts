import { ChainsService } from '../src/chains/chains.service.js';
import { MetricsService } from '../src/operations/metrics/metrics.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import type { Hex } from './support/anvil.js';
import { changed, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

type Json = Record<string, unknown>;

const DUE = 10n ** 18n / 20n;

let shop: Shop;
let proxy: RpcProxy;
let application: ShopApplication;

/** A shop with one endpoint, at which payments of half the usual amount and more have to be proven. */
beforeAll(async () => {
  shop = await Shop.open({ CHAIN_ETHEREUM_PROVE_FROM: 'ETH:0.025' }, async (node) => {
    proxy = await RpcProxy.start(node);
    return proxy.url;
  });
  application = await shop.application();
});
afterEach(() => {
  proxy.hide([]);
  proxy.setFaults({});
  // The endpoint no longer rests.
  shop.gateway.clock.advanceSeconds(61);
});
afterAll(async () => {
  await shop.close();
  await proxy.stop();
});

const health = () => shop.gateway.get(ChainsService).findHealth('ethereum');
const waiting = () => shop.gateway.get(MetricsService).render();

async function payment(): Promise<{ payment: CreatedPayment; address: Hex }> {
  const created = await shop.createPayment(application);
  return { payment: created, address: (await shop.instructions(created)).address as Hex };
}

async function transfers({ id }: CreatedPayment) {
  return shop.gateway.sql.query<{ amount: string; state: string }>(
    'select amount, state from payment_transfers where payment_id = $1',
    [id],
  );
}

describe('a large transfer at the only endpoint', () => {
  it('counts once its block proves it', async () => {
    const { payment: paid, address } = await payment();
    await shop.chain.sendEth({ to: address, value: DUE });
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(paid)).toBe('CONFIRMED');
    expect(proxy.seen.map(({ method }) => method)).toContain('eth_getBlockByHash');
  });

  it('that the endpoint makes up is never recorded', async () => {
    const { payment: paid, address } = await payment();
    await shop.chain.sendEth({ to: address, value: DUE / 10n });
    const inflated = `0x${DUE.toString(16)}`;
    proxy.setFaults({
      trace_block: changed((traces: Json[]) =>
        traces.map((trace) => {
          const action = trace['action'] as Json;
          if (action['to'] !== address.toLowerCase()) return trace;
          return { ...trace, action: { ...action, value: inflated } };
        }),
      ),
      eth_getBlockByHash: changed((block: Json) => ({
        ...block,
        transactions: (block['transactions'] as Json[]).map((one) =>
          one['to'] === address.toLowerCase() ? { ...one, value: inflated } : one,
        ),
      })),
    });
    await shop.mine(CONFIRMATIONS);
    expect(proxy.faulted).toBeGreaterThan(0);
    expect(health()).toEqual({ ok: false, error: expect.stringContaining('is not proven') });
    expect(await transfers(paid)).toEqual([]);
    proxy.setFaults({});
    await shop.settle();
    expect(health()).toEqual({ ok: true });
    expect(await transfers(paid)).toEqual([{ amount: String(DUE / 10n), state: 'confirmed' }]);
  });

  it('waits alone while the endpoint shows too little, and counts once it shows enough', async () => {
    const [large, small] = [await payment(), await payment()];
    proxy.hide(['eth_getBlockByHash']);
    await shop.chain.sendEth({ to: small.address, value: DUE / 4n });
    await shop.chain.sendEth({ to: large.address, value: DUE });
    await shop.mine(CONFIRMATIONS);
    expect(health()).toEqual({ ok: true });
    expect(await transfers(small.payment)).toMatchObject([{ state: 'confirmed' }]);
    expect(await shop.status(large.payment)).toBe('FOUND');
    expect(await waiting()).toContain('gateway_chain_transfers_awaiting_agreement{chain="ethereum"} 1\n');
    const { differences } = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
    expect(differences).toEqual([]);
    proxy.hide([]);
    shop.gateway.clock.advanceSeconds(60);
    await shop.settle();
    expect(await shop.status(large.payment)).toBe('CONFIRMED');
    expect(await waiting()).toContain('gateway_chain_transfers_awaiting_agreement{chain="ethereum"} 0\n');
  });
});
