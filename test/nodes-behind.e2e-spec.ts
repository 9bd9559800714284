/**
 * @inOrder The nodes of one gateway fall behind and catch up, one after the other.
 */
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { EsploraServer } from './support/esplora.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { createOwner } from './support/principals.js';
import { changed, RpcProxy } from './support/rpc-proxy.js';
import { EVM_XPUB, Shop, type ShopApplication } from './support/shop.js';
import { TronNode } from './support/tron-node.js';
import { bitcoinAccount } from './support/utxo-account.js';

const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';
/** The watcher asks a node how far it is four times a minute. */
const NEXT_QUESTION_SECONDS = 15;
const HOUR = 3_600;

interface Network {
  state: {
    status: string;
    since: string | null;
    reason: string | null;
    catchUp: { blocksLeft: number; secondsLeft: number | null } | null;
    acceptsPayments: boolean;
  };
}

let shop: Shop;
let application: ShopApplication;

async function watch(slug: string): Promise<void> {
  await shop.gateway.get(ChainWatcherService).drain(slug);
  await shop.settle();
}

async function stateOf(slug: string): Promise<Network['state']> {
  const answer = await shop.call<Network>('GET', `/api/blockchains/${slug}`, application.clientToken);
  return answer.body.data.state;
}

/** Why the method of a new payment cannot be used; null when it can, and then its instructions are given. */
async function obstacleOf(provider: string, method: string): Promise<string | null> {
  const payment = await shop.createPayment(application);
  type Method = { provider: string; method: string; unavailableReason: string | null };
  const { body } = await shop.checkout<Method[]>(payment, `${payment.id}/payment-methods`);
  const found = body.data.find((one) => one.provider === provider && one.method === method);
  if (!found) throw new Error(`no method ${method}`);
  const { status } = await shop.checkout(
    payment,
    `payment/${payment.id}/provider/${provider}/method/${method}`,
  );
  expect(status).toBe(found.unavailableReason === null ? 200 : 503);
  return found.unavailableReason;
}

async function expectBehind(slug: string, method: string, blocksLeft: number): Promise<void> {
  expect(await stateOf(slug)).toMatchObject({
    status: 'CATCHING_UP',
    since: expect.any(String),
    reason: expect.stringMatching(new RegExp(`catching up .* About ${blocksLeft} blocks? left`)),
    catchUp: { blocksLeft },
    acceptsPayments: false,
  });
  expect(await obstacleOf(slug, method)).toBe('node_unavailable');
}

async function expectInSync(slug: string, method: string): Promise<void> {
  expect(await stateOf(slug)).toMatchObject({ status: 'OPERATIONAL', catchUp: null, acceptsPayments: true });
  expect(await obstacleOf(slug, method)).toBeNull();
}

describe('a node of an EVM chain that is behind', () => {
  let proxy: RpcProxy;

  beforeAll(async () => {
    shop = await Shop.open({ CHAIN_STALL_BLOCKS: '10', METRICS_TOKEN }, async (node) => {
      proxy = await RpcProxy.start(node);
      return proxy.url;
    });
    application = await shop.application();
  });
  afterEach(async () => {
    proxy.setFaults({});
    proxy.hide([]);
    await pass(NEXT_QUESTION_SECONDS);
    await expectInSync('ethereum', 'eth');
  });
  afterAll(async () => {
    await shop.close();
    await proxy.stop();
  });

  /** Time passes at the gateway and on the chain, which makes a block. */
  async function pass(seconds: number): Promise<void> {
    await shop.chain.rpc('evm_increaseTime', [seconds]);
    await shop.wait(seconds);
    await shop.mine();
  }

  /** The node's newest block is that old, and rises. */
  const lagBy = (seconds: number) => ({
    eth_getBlockByNumber: changed((block: object) => ({
      ...block,
      timestamp: `0x${(shop.gateway.clock.now().getTime() / 1_000 - seconds).toString(16)}`,
    })),
  });
  const syncing = (blocksLeft: number) => ({
    eth_syncing: changed(() => ({
      startingBlock: '0x1',
      currentBlock: '0x10',
      highestBlock: `0x${(16 + blocksLeft).toString(16)}`,
    })),
  });

  it('offers nothing while its newest block is old, although it rises, and estimates the rest', async () => {
    const open = await shop.createPayment(application);
    const { address } = await shop.instructions(open);
    proxy.setFaults(lagBy(6 * HOUR));
    await pass(NEXT_QUESTION_SECONDS);
    await expectBehind('ethereum', 'eth', 1_800);
    expect(await stateOf('ethereum')).toMatchObject({ catchUp: { secondsLeft: null } });

    proxy.setFaults(lagBy(2 * HOUR));
    await pass(60);
    await expectBehind('ethereum', 'eth', 600);
    expect(await stateOf('ethereum')).toMatchObject({ catchUp: { secondsLeft: 30 } });
    // An open payment keeps its address, and its page can say that funds are seen late.
    expect(await shop.instructions(open)).toMatchObject({ address, confirmations: { delayed: true } });
  });

  it('offers nothing while it says that it is syncing, also with new blocks', async () => {
    proxy.setFaults(syncing(5_000));
    await pass(NEXT_QUESTION_SECONDS);
    await expectBehind('ethereum', 'eth', 5_000);

    // It shows no new block while it downloads the state, which is no stall of the chain.
    await shop.wait(HOUR);
    await shop.settle();
    await expectBehind('ethereum', 'eth', 5_000);
    await shop.chain.rpc('evm_increaseTime', [HOUR]);
  });

  it('tells the operator, in the views and in the metrics', async () => {
    const operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    proxy.setFaults(syncing(5_000));
    await pass(NEXT_QUESTION_SECONDS);
    const chains = await shop.call<unknown[]>('GET', '/api/admin/chains', operator.accessToken);
    expect(chains.body.data).toEqual([
      expect.objectContaining({
        state: 'catching_up',
        alert: {
          code: 'catching_up',
          message: 'The node is catching up with its network. About 5000 blocks left.',
        },
        catchUp: { blocksLeft: 5_000, secondsLeft: null },
        acceptsPayments: false,
      }),
    ]);
    const metrics = await fetch(`${shop.gateway.baseUrl}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const text = await metrics.text();
    expect(text).toContain('\ngateway_chain_state{chain="ethereum",state="catching_up"} 1\n');
    expect(text).toContain('\ngateway_chain_catch_up_blocks{chain="ethereum"} 5000\n');
    const waiting = await shop.call<unknown[]>('GET', '/api/attention', operator.accessToken);
    expect(waiting.body.data).toEqual([expect.objectContaining({ kind: 'chain_halted' })]);
  });

  it.each<[string, unknown]>([
    [
      'indexes old transactions',
      { currentBlock: '0x10', highestBlock: '0x10', txIndexRemainingBlocks: '0x9' },
    ],
    ['imports the newest blocks', { currentBlock: '0x10', highestBlock: '0x12' }],
    ['answers something else', { currentBlock: 7 }],
  ])('offers its methods when it is in sync and %s', async (_what, answer) => {
    proxy.setFaults({ eth_syncing: changed(() => answer) });
    await pass(NEXT_QUESTION_SECONDS);
    await expectInSync('ethereum', 'eth');
  });

  it('is judged by its newest block where it does not serve eth_syncing', async () => {
    proxy.hide(['eth_syncing']);
    await pass(NEXT_QUESTION_SECONDS);
    await expectInSync('ethereum', 'eth');
    proxy.setFaults(lagBy(6 * HOUR));
    await pass(NEXT_QUESTION_SECONDS);
    await expectBehind('ethereum', 'eth', 1_800);
  });
});

describe.each(['a node', 'an Esplora endpoint'])('%s of a UTXO chain that is behind', (transport) =>
  describeWithNode('offers nothing', () => {
    let node: UtxoNode;
    let proxy: RpcProxy;
    let esplora: EsploraServer | null = null;

    beforeAll(async () => {
      node = await startUtxoNode();
      proxy = await RpcProxy.start(node.url);
      if (transport !== 'a node') esplora = await EsploraServer.start(node);
      shop = await Shop.open({
        ...(esplora ? { CHAIN_BITCOIN_ESPLORA_URL: esplora.url } : { CHAIN_BITCOIN_RPC_URL: proxy.url }),
        CHAIN_BITCOIN_NETWORK: 'regtest',
        CHAIN_STALL_BLOCKS: '10',
        WALLET_BITCOIN_XPUB: bitcoinAccount(Buffer.alloc(32, 5)).publicExtendedKey,
      });
      shop.rates.setPrice('BTC', 'USD', '50000');
      application = await shop.application();
      await node.mine(1);
      await watch('bitcoin');
    });
    afterAll(async () => {
      await shop?.close();
      await esplora?.stop();
      await proxy?.stop();
      await node?.stop();
    });

    async function pass(seconds: number): Promise<void> {
      await shop.wait(seconds);
      await node.mine(1);
      await watch('bitcoin');
    }

    if (transport === 'a node')
      it('during its initial block download, and again after it', async () => {
        for (const [changes, blocks] of [
          [{ initialblockdownload: true, headers: 2_900_000, verificationprogress: 0.71 }, null],
          [{ initialblockdownload: true }, 1],
        ] as const) {
          proxy.setFaults({ getblockchaininfo: changed((info: object) => ({ ...info, ...changes })) });
          await pass(NEXT_QUESTION_SECONDS);
          await expectBehind('bitcoin', 'btc', blocks ?? 2_900_000 - (await node.height()));
        }
        proxy.setFaults({});
        await pass(NEXT_QUESTION_SECONDS);
        await expectInSync('bitcoin', 'btc');
      });

    it('while its newest block is hours old, and not after a long block time', async () => {
      await pass(2 * HOUR);
      await expectInSync('bitcoin', 'btc');
      await pass(4 * HOUR);
      expect(await stateOf('bitcoin')).toMatchObject({ status: 'CATCHING_UP', acceptsPayments: false });
      expect(await obstacleOf('bitcoin', 'btc')).toBe('node_unavailable');
    });
  }),
);

it('a node of Tron that is behind offers nothing', async () => {
  const node = await TronNode.start();
  try {
    shop = await Shop.open({
      CHAIN_TRON_RPC_URL: node.url,
      CHAIN_TRON_NETWORK: 'nile',
      CHAIN_STALL_BLOCKS: '10',
      WALLET_TRON_XPUB: EVM_XPUB,
    });
    shop.rates.setPrice('TRX', 'USD', '0.25');
    application = await shop.application();
    node.mine(2);
    // Its blocks are dated by a clock of its own, which is far behind.
    await watch('tron');
    expect(await stateOf('tron')).toMatchObject({ status: 'CATCHING_UP', acceptsPayments: false });
    expect(await obstacleOf('tron', 'trx')).toBe('node_unavailable');
  } finally {
    await shop.close();
    await node.stop();
  }
});
