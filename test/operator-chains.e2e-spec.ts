/**
 * @inOrder One chain, whose node stops and comes back.
 */
import { isPayable } from '../src/chains/chain-health.pure.js';
import { ChainHealthService } from '../src/chains/chain-health.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { createOwner, type Owner } from './support/principals.js';
import { answering, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';
import { startTestGateway } from './support/test-gateway.js';

const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';
/** Ethereum: the larger of 10 x 12 s and two minutes. */
const STALL_SECONDS = 120;

interface ChainReport {
  slug: string;
  state: string;
  alert: { code: string; message: string } | null;
  acceptsPayments: boolean;
  head: { height: number; hash: string } | null;
  cursor: { height: number; hash: string } | null;
  lag: { blocks: number; seconds: number } | null;
  lease: { holder: string; held: boolean } | null;
  endpoint: { ok: boolean; error: string | null } | null;
  endpoints: { position: number; state: string; lastError: string | null; tipHeight: number | null }[];
  reorgs: { count: number; deepest: number; lastAt: string | null };
  halted: { reason: string } | null;
  stallSeconds: number | null;
}

describe("the operator's view of the chains", () => {
  let shop: Shop;
  let proxy: RpcProxy;
  let application: ShopApplication;
  let operator: Owner;

  beforeAll(async () => {
    shop = await Shop.open({ CHAIN_STALL_BLOCKS: '10', METRICS_TOKEN }, async (node) => {
      proxy = await RpcProxy.start(node);
      return proxy.url;
    });
    application = await shop.application();
    operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop.close();
    await proxy.stop();
  });

  async function report(): Promise<ChainReport> {
    const answer = await shop.call<ChainReport[]>('GET', '/api/admin/chains', operator.accessToken);
    expect(answer.status).toBe(200);
    const [chain, ...others] = answer.body.data;
    expect(others).toEqual([]);
    return chain!;
  }

  async function scrape(token: string | null = METRICS_TOKEN): Promise<Response> {
    return fetch(`${shop.gateway.baseUrl}/metrics`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
  }

  /** The value of one series. */
  async function metric(series: string): Promise<number> {
    const line = (await (await scrape()).text()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  }

  const instructionsOf = (payment: { id: string; checkoutUrl: string }) =>
    shop.checkout(payment, `payment/${payment.id}/provider/ethereum/method/eth`);

  it('shows a chain that is being watched', async () => {
    await shop.mine(3);
    const height = await shop.chain.blockNumber();
    const chain = await report();
    expect(chain).toMatchObject({
      slug: 'ethereum',
      state: 'ok',
      alert: null,
      acceptsPayments: true,
      head: { height },
      cursor: { height },
      lag: { blocks: 0, seconds: 0 },
      lease: { held: true },
      endpoint: { ok: true, error: null },
      endpoints: [{ position: 1, state: 'ok', failures: 0, lastError: null, lagBlocks: 0 }],
      reorgs: { count: 0, deepest: 0, lastAt: null },
      halted: null,
      stallSeconds: STALL_SECONDS,
    });
    expect(chain.head?.hash).toBe(chain.cursor?.hash);
  });

  it('is for operators only, from the next request on', async () => {
    const denied = { status: 403, body: { code: 'operator_required' } };
    const ask = (token: string) => shop.call('GET', '/api/admin/chains', token);
    expect(await ask(shop.owner.accessToken)).toMatchObject(denied);
    expect(await ask(application.clientToken)).toMatchObject({
      status: 401,
      body: { code: 'oauth_token_required' },
    });
    const users = shop.gateway.get(UsersService);
    await users.setOperator(operator.userId, false);
    expect(await ask(operator.accessToken)).toMatchObject(denied);
    await users.setOperator(operator.userId, true);
    expect(await ask(operator.accessToken)).toMatchObject({ status: 200 });
  });

  it('counts the blocks behind while the node does not return them', async () => {
    const before = await shop.chain.blockNumber();
    proxy.setFaults({ eth_getBlockReceipts: answering('nonsense'), eth_getLogs: answering('nonsense') });
    await shop.chain.sendToken({ token: shop.tokens.USDC, to: `0x${'01'.repeat(20)}`, value: 1n });
    await shop.chain.rpc('evm_increaseTime', [60]);
    await shop.mine(5);
    const chain = await report();
    expect(chain).toMatchObject({
      state: 'unreachable',
      alert: { code: 'unreachable' },
      acceptsPayments: false,
      head: { height: before + 5 },
      cursor: { height: before },
      lag: { blocks: 5 },
      endpoint: { ok: false, error: expect.stringContaining('log list') },
    });
    expect(await metric('gateway_chain_endpoint_healthy{chain="ethereum"}')).toBe(0);
    proxy.setFaults({});
    await shop.settle();
    expect(await report()).toMatchObject({ state: 'ok', lag: { blocks: 0 } });
  });

  it('counts reorgs and keeps the deepest across a restart', async () => {
    await shop.mine(4);
    for (const depth of [3, 1]) {
      await shop.chain.rpc('anvil_reorg', [depth, []]);
      await shop.mine(1);
    }
    expect((await report()).reorgs).toMatchObject({ count: 2, deepest: 3 });
    shop.gateway = await shop.gateway.restart();
    expect((await report()).reorgs).toMatchObject({ count: 2, deepest: 3 });
    expect(await metric('gateway_chain_reorgs_total{chain="ethereum"}')).toBe(2);
    expect(await metric('gateway_chain_deepest_reorg_blocks{chain="ethereum"}')).toBe(3);
  });

  describe('a stalled head', () => {
    it('pauses new instructions, keeps the existing ones, and ends with the next block', async () => {
      await shop.mine();
      const [shown, fresh] = [await shop.createPayment(application), await shop.createPayment(application)];
      const { address } = await shop.instructions(shown);
      await shop.wait(STALL_SECONDS);
      await shop.settle();
      expect(await report()).toMatchObject({ state: 'ok' });

      await shop.wait(1);
      await shop.settle();
      expect(await report()).toMatchObject({
        state: 'stalled',
        alert: { code: 'stalled' },
        acceptsPayments: false,
      });
      expect(await metric('gateway_chain_state{chain="ethereum",state="stalled"}')).toBe(1);
      expect(await metric('gateway_chain_head_age_seconds{chain="ethereum"}')).toBe(STALL_SECONDS + 1);
      expect(await instructionsOf(fresh)).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable' },
      });
      expect(await shop.checkout(fresh, `${fresh.id}/payment-methods`)).toMatchObject({
        body: {
          data: expect.arrayContaining([
            expect.objectContaining({ available: false, unavailableReason: 'node_unavailable' }),
          ]),
        },
      });
      expect((await shop.instructions(shown)).address).toBe(address);

      await shop.mine();
      expect(await report()).toMatchObject({ state: 'ok', alert: null });
      expect(await instructionsOf(fresh)).toMatchObject({ status: 200 });
    });

    it('stays stalled when a node falls back and catches up again', async () => {
      await shop.mine(2);
      const height = await shop.chain.blockNumber();
      const old = await shop.chain.rpc('eth_getBlockByNumber', [`0x${(height - 1).toString(16)}`, false]);
      await shop.wait(STALL_SECONDS + 1);
      proxy.setFaults({
        eth_getBlockByNumber: async (call, answer) =>
          call.params[0] === 'latest' ? { jsonrpc: '2.0', id: call.id, result: old } : answer(),
      });
      await shop.settle();
      proxy.setFaults({});
      await shop.settle();
      expect(await report()).toMatchObject({ state: 'stalled', head: { height } });
    });
  });

  it('is read from the database, also without a running watcher', async () => {
    await shop.mine();
    const second = await startTestGateway(
      {
        CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
        CHAIN_ETHEREUM_CHAIN_ID: '31337',
        CHAIN_STALL_BLOCKS: '10',
        ROLE: 'api',
      },
      shop.gateway.clock,
      shop.gateway.databaseUrl,
    );
    const there = second.get(ChainHealthService);
    const isOffered = async () => isPayable((await there.statusOf('ethereum')).state);
    expect(await isOffered()).toBe(true);
    proxy.setFaults({ '*': answering('nonsense') });
    await shop.settle();
    expect(await isOffered()).toBe(false);
    proxy.setFaults({});
    await shop.settle();
    expect(await isOffered()).toBe(true);
    // No watcher runs any more.
    await shop.wait(STALL_SECONDS + 1);
    expect(await isOffered()).toBe(false);
    expect(await there.statusOf('ethereum')).toMatchObject({ state: 'unwatched' });
    await second.close();
    await shop.mine();
  });

  it('shows why a chain is halted', async () => {
    await shop.gateway.sql.query(
      `update chain_cursors set halted_at = $1, halt_reason = 'the fork is too deep' where chain = 'ethereum'`,
      [shop.gateway.clock.now()],
    );
    expect(await report()).toMatchObject({
      state: 'halted',
      acceptsPayments: false,
      halted: { reason: 'the fork is too deep' },
    });
    expect(await metric('gateway_chain_halted{chain="ethereum"}')).toBe(1);
    await shop.gateway.sql.query(`update chain_cursors set halted_at = null, halt_reason = null`);
    await shop.mine();
  });

  describe('GET /metrics', () => {
    it('requires its own token', async () => {
      for (const token of [null, 'wrong', operator.accessToken]) {
        const answer = await scrape(token);
        expect([token, answer.status]).toEqual([token, 401]);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
    });

    it('is a 404 when no token is configured', async () => {
      const other = await startTestGateway();
      const answer = await fetch(`${other.baseUrl}/metrics`, {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      expect(answer.status).toBe(404);
      await other.close();
    });

    it('has the format that Prometheus reads', async () => {
      const answer = await scrape();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const text = await answer.text();
      expect(text.endsWith('\n')).toBe(true);
      const line =
        /^(# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.]+(e[-+]\d+)?)$/;
      expect(
        text
          .split('\n')
          .slice(0, -1)
          // Blank lines are ignored.
          .filter((each) => each !== '' && !line.test(each)),
      ).toEqual([]);
      const height = await shop.chain.blockNumber();
      expect(text).toContain(`\ngateway_chain_cursor_height{chain="ethereum"} ${height}\n`);
      expect(text).toContain(`\ngateway_chain_head_height{chain="ethereum"} ${height}\n`);
      expect(text).toContain('\ngateway_chain_lag_blocks{chain="ethereum"} 0\n');
      expect(text).toContain('\ngateway_unattributed_deposits{chain="ethereum"} 0\n');
    });

    it('counts unmatched deposits and undelivered events', async () => {
      const payment = await shop.createPayment(application);
      const asked = await shop.instructions(payment);
      await shop.send(asked);
      await shop.chain.sendToken({
        token: shop.tokens.USDC,
        to: asked.address as `0x${string}`,
        value: 5_000_000n,
      });
      await shop.chain.mine(CONFIRMATIONS);
      await shop.watch();
      await shop.wait(30);
      expect(await metric('gateway_unattributed_deposits{chain="ethereum"}')).toBe(1);
      expect(await metric('gateway_oldest_undelivered_event_age_seconds')).toBe(30);
      await shop.settle();
      expect(await metric('gateway_oldest_undelivered_event_age_seconds')).toBe(0);
    });
  });
});
