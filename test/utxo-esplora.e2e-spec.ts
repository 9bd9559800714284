import { Logger } from '@nestjs/common';
import type { UtxoAdapter } from '../src/chains/utxo/utxo-adapter.js';
import { type AdapterDriver, creditsAt, describeChainAdapter } from './chain-adapter.contract.js';
import { type EsploraAnswer, EsploraServer } from './support/esplora.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { HANG } from './support/rpc-proxy.js';
import { PATIENCE_MS, watchDeadlines } from './support/silence.js';
import { newScriptKey, UtxoAdapters } from './support/utxo-chain.js';

const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const TIP = '/blocks/tip/hash';

describeWithNode('an Esplora endpoint', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;
  let esplora: EsploraServer;
  let adapter: UtxoAdapter;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    node = await startUtxoNode();
    esplora = await EsploraServer.start(node);
    adapter = adapters.createEsplora(esplora.url);
  });
  afterEach(() => {
    esplora.fault = null;
    esplora.asked.length = 0;
  });
  afterAll(async () => {
    await adapters.close();
    await esplora?.stop();
    await node?.stop();
  });

  async function startDriver(): Promise<AdapterDriver> {
    return {
      adapter,
      misnamed: adapters.createEsplora(esplora.url, 'bitcoin', 'mainnet'),
      large: 1_500_000_001n,
      newKey: newScriptKey,
      pay: (outputs) => node.pay(outputs),
      mine: (blocks) => node.mine(blocks),
      fork: (depth, keep) => node.fork(depth, keep),
      rollback: (depth) => node.rollback(depth),
    };
  }

  describeChainAdapter('UTXO through Esplora', startDriver);

  /** Another answer to every path of a kind; counts how often it was given. */
  function setFaults(kind: RegExp, change: (truth: EsploraAnswer, path: string) => EsploraAnswer) {
    const counter = { times: 0 };
    esplora.fault = async (path, truth) => {
      if (!kind.test(path)) return null;
      counter.times++;
      return change(await truth(), path);
    };
    return counter;
  }

  const answer =
    (body: EsploraAnswer['body'], status = 200) =>
    (): EsploraAnswer => ({ status, body });

  describe('in the place of a node', () => {
    it('lists pending transactions and replaced ones', async () => {
      const coin = await node.coin(1_000_000n);
      const [first, second] = [
        await node.sign([coin], [{ key: newScriptKey(), amount: 7n }]),
        await node.sign([coin], [{ key: newScriptKey(), amount: 8n }], 50_000n),
      ];
      const replaced = await node.broadcast(first);
      expect(await adapter.mempool.list()).toContain(replaced);
      const raised = await node.broadcast(second);
      expect(await adapter.mempool.list()).not.toContain(replaced);
      const { transactions, unread } = await adapter.mempool.read([replaced, raised]);
      expect(unread).toEqual([]);
      expect(transactions).toMatchObject([
        { txHash: raised, inputs: [`${coin.txid}:${coin.vout}`], transfers: [{ amount: 8n }, {}] },
      ]);
      await node.mine();
      expect(await adapter.mempool.list()).toEqual([]);
    });

    it('reports a transaction of a stale block as unknown, although the endpoint still finds it', async () => {
      const coin = await node.coin(1_000_000n);
      const [one, two] = [
        await node.sign([coin], [{ key: newScriptKey(), amount: 5n }]),
        await node.sign([coin], [{ key: newScriptKey(), amount: 6n }]),
      ];
      const stale = await node.broadcast(one);
      await node.mine();
      await node.rollback(1);
      await node.mineOnly([two]);
      expect((await fetch(`${esplora.url}/tx/${stale}/hex`)).status).toBe(200);
      expect(await adapter.transactionFate(stale)).toBe('unknown');
      expect(await adapter.transaction(stale)).toEqual({ fate: 'unknown' });
    });

    it('receives requests for blocks and transactions only, never for an address or a script', async () => {
      const key = newScriptKey();
      const txHash = await node.pay([{ key, amount: 5n }]);
      await adapter.mempool.read(await adapter.mempool.list());
      await creditsAt(adapter, await node.mine(), [key]);
      await adapter.transaction(txHash);
      expect(esplora.asked.length).toBeGreaterThan(5);
      const allowed =
        /^\/(blocks\/tip\/hash|block-height\/\d+|block\/[0-9a-f]{64}(\/raw|\/header)?|tx\/[0-9a-f]{64}\/(hex|status)|mempool\/txids)$/;
      for (const path of esplora.asked) expect(path).toMatch(allowed);
    });

    it('requests each block once, although it requests the tip every time', async () => {
      const [first, second] = [await adapter.tip(), await adapter.tip()];
      expect(second).toEqual(first);
      expect(esplora.asked.filter((path) => path === TIP)).toHaveLength(2);
      expect(esplora.asked.filter((path) => path === `/block/${first.hash}`).length).toBeLessThan(2);
    });

    it('is asked again for the height of a block after a wrong response', async () => {
      const height = await node.mine();
      setFaults(/^\/block\/[0-9a-f]{64}$/, ({ status, body }) => ({
        status,
        body: { ...(body as object), height: height - 3 },
      }));
      expect((await adapter.tip()).height).toBe(height - 3);
      esplora.fault = null;
      expect((await adapter.tip()).height).toBe(height);
    });

    it('is refused for a private network when its first block is of a public one', async () => {
      setFaults(/^\/block-height\/0$/, answer(BITCOIN_GENESIS));
      await expect(adapter.probe()).rejects.toThrow(/of a public network, expected another/);
      esplora.fault = null;
      await adapter.probe();
    });

    it('is refused when it is of a chain with the same first block', async () => {
      const cash = '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec';
      const bitcoin = adapters.createEsplora(esplora.url, 'bitcoin', 'mainnet');
      esplora.fault = async (path, truth) => {
        if (path === '/block-height/0') return answer(BITCOIN_GENESIS)();
        if (path === '/block-height/478559') return answer(cash)();
        return /^\/block\/[0-9a-f]+$/.test(path) ? answer({ height: 500_000 })() : truth();
      };
      await expect(bitcoin.probe()).rejects.toThrow(/block 478559 of the node is 0+651e.*expected 0+19f1/);
    });
  });

  describe('that returns wrong data is caught:', () => {
    const flip = (at: number) => (raw: Buffer) => {
      const bytes = Buffer.from(raw);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes;
    };

    it.each<[string, (raw: Buffer) => Buffer | string, RegExp]>([
      ['another header', flip(70), /another block/],
      [
        'a changed amount',
        (raw) => Buffer.from(raw.toString('hex').replace('8813000000000000', '8913000000000000'), 'hex'),
        /not those of the block/,
      ],
      ['a block cut short', (raw) => raw.subarray(0, -20), /ends too early/],
      ['a page of its own', () => '<html>Welcome</html>', /ends too early|another block/],
      ['nothing', () => '', /ends too early/],
    ])('%s', async (_what, fault, message) => {
      await node.pay([{ key: newScriptKey(), amount: 5_000n }]);
      const height = await node.mine();
      setFaults(/\/raw$/, ({ body }) => ({ status: 200, body: fault(body as Buffer) }));
      await expect(adapter.block(height)).rejects.toThrow(message);
      esplora.fault = null;
      expect(await adapter.block(height)).not.toBeNull();
    });

    it.each<[string, RegExp, EsploraAnswer['body'], RegExp]>([
      ['no hash of the tip', /tip\/hash$/, 'x', /malformed hash/],
      ['no height', /^\/block\/[0-9a-f]{64}$/, { height: -1 }, /malformed height/],
      ['a page of its own for the newest block', /^\/block\/[0-9a-f]{64}$/, '<html>', /malformed answer/],
    ])('%s', async (_what, kind, body, message) => {
      await node.mine();
      setFaults(kind, answer(body));
      await expect(adapter.tip()).rejects.toThrow(message);
    });

    it('an invalid mempool, a transaction under another hash, an invalid status', async () => {
      setFaults(/txids$/, answer({ size: 1 }));
      await expect(adapter.mempool.list()).rejects.toThrow(/malformed mempool/);
      const [one, two] = [
        await node.pay([{ key: newScriptKey(), amount: 5n }]),
        await node.pay([{ key: newScriptKey(), amount: 5n }]),
      ];
      const raw = await node.rpc<string>('getrawtransaction', [two]);
      setFaults(/hex$/, answer(raw));
      await expect(adapter.mempool.read([one])).rejects.toThrow(/another transaction/);
      const height = await node.mine();
      const [status, before] = [{ confirmed: true, block_height: height - 1 }, await node.hashAt(height - 1)];
      setFaults(/status$/, answer({ ...status, block_hash: before }));
      await expect(adapter.transaction(one)).rejects.toThrow(/does not hold/);
      setFaults(/status$/, answer({ confirmed: 'yes' }));
      await expect(adapter.transactionFate(one)).rejects.toThrow(/malformed status/);
    });

    it('a transaction of a block that is not on the chain', async () => {
      const txHash = await node.pay([{ key: newScriptKey(), amount: 5n }]);
      await node.mine();
      setFaults(/status$/, ({ body }) => ({
        status: 200,
        body: { ...(body as object), block_hash: 'ab'.repeat(32) },
      }));
      expect(await adapter.transactionFate(txHash)).toBe('unknown');
    });
  });

  describe('with limits', () => {
    it('receives no requests until its Retry-After has passed', async () => {
      let isOver = true;
      esplora.fault = () =>
        isOver ? { status: 429, body: 'Too Many Requests', headers: { 'retry-after': '7' } } : null;
      await expect(adapter.tip()).rejects.toThrow(/rate limited: no requests for another 7 s .*HTTP 429/);
      isOver = false;
      expect(esplora.asked).toHaveLength(1);
      await expect(adapter.tip()).rejects.toThrow(/HTTP 429/);
      adapters.clock.advanceSeconds(2);
      await expect(adapter.tip()).rejects.toThrow(/HTTP 429/);
      expect(esplora.asked).toHaveLength(1);
      adapters.clock.advanceSeconds(5);
      expect((await adapter.tip()).height).toBe(await node.height());
    });

    it.each([
      [
        'a date half a minute after its Date',
        { 'retry-after': 'Wed, 21 Oct 2099 07:28:30 GMT', date: 'Wed, 21 Oct 2099 07:28:00 GMT' },
        30,
      ],
      ['a day', { 'retry-after': '86400' }, 600],
    ])('gets no requests for a while after Retry-After with %s', async (_what, headers, seconds) => {
      const own = adapters.createEsplora(esplora.url);
      esplora.fault = () => ({ status: 429, body: '', headers });
      await expect(own.tip()).rejects.toThrow(/HTTP 429/);
      esplora.fault = null;
      // A request waits for four seconds at most.
      adapters.clock.advanceSeconds(seconds - 5);
      await expect(own.tip()).rejects.toThrow(/HTTP 429/);
      adapters.clock.advanceSeconds(5);
      await own.tip();
    });

    it.each([
      ['nothing', {}],
      ['no time at all', { 'retry-after': '0' }],
    ])('waits a moment within the step after HTTP 429 with Retry-After of %s', async (_what, headers) => {
      const own = adapters.createEsplora(esplora.url);
      let left = 2;
      esplora.fault = () => (left-- > 0 ? { status: 429, body: '', headers } : null);
      expect((await own.tip()).height).toBe(await node.height());
    });

    it('reads a full mempool in pieces, and keeps them when it is rate-limited', async () => {
      const hashes: string[] = [];
      for (let i = 0; i < 6; i++) hashes.push(await node.pay([{ key: newScriptKey(), amount: 5n }]));
      const many = [...hashes, ...Array.from({ length: 94 }, (_, i) => String(i).padStart(64, '0'))];
      const all = await adapter.mempool.read(many);
      expect(all.transactions).toHaveLength(6);
      expect(all.unread).toEqual(many.slice(50));

      let left = 5;
      const limit = { status: 429, body: '', headers: { 'retry-after': '5' } };
      esplora.fault = (path) => (path.endsWith('/hex') && left-- <= 0 ? limit : null);
      const some = await adapter.mempool.read(hashes);
      expect(some.transactions.map(({ txHash }) => txHash).toSorted()).toEqual(
        hashes.filter((hash) => !some.unread.includes(hash)).toSorted(),
      );
      expect(some.transactions).toHaveLength(5);
      expect(some.unread).toHaveLength(1);
      adapters.clock.advanceSeconds(5);
      await node.mine();
    });

    it('lists a long mempool less often', async () => {
      const long = Array.from({ length: 15_000 }, (_, i) => String(i).padStart(64, '0'));
      setFaults(/txids$/, answer(long));
      const own = adapters.createEsplora(esplora.url);
      const lists = () => esplora.asked.filter((path) => path === '/mempool/txids').length;
      expect(await own.mempool.list()).toHaveLength(15_000);
      adapters.clock.advanceSeconds(2);
      expect(await own.mempool.list()).toHaveLength(15_000);
      expect(await own.transactionFate(long[0] ?? '')).toBe('mempool');
      expect(lists()).toBe(1);
      // What it does not have is not given up for its age.
      const fresh = await node.pay([{ key: newScriptKey(), amount: 5n }]);
      setFaults(/txids$/, answer([...long, fresh]));
      expect(await own.transactionFate(fresh)).toBe('mempool');
      expect(lists()).toBe(2);
      adapters.clock.advanceSeconds(4);
      await own.mempool.list();
      expect(lists()).toBe(3);
      await node.mine();
    });
  });

  describe('that fails', () => {
    let forgetDeadlines: () => void;
    beforeAll(() => void (forgetDeadlines = watchDeadlines()));
    afterAll(() => forgetDeadlines());

    it.each<[string, EsploraAnswer | symbol, RegExp]>([
      ['with an error', { status: 500, body: 'internal' }, /HTTP 500/],
      [
        'with a page that moved',
        { status: 301, body: '', headers: { location: 'http://127.0.0.1:1/' } },
        /HTTP 301/,
      ],
      ['under a wrong address', { status: 404, body: 'not here' }, /HTTP 404/],
      ['with a flood', { status: 200, body: 'a'.repeat(5_000_000) }, /did not answer/],
      ['by silence', HANG, /did not answer/],
    ])('%s is rejected, without its address in the error', async (_what, response, message) => {
      const secret = esplora.url.replace('127.0.0.1', 'user:secret@127.0.0.1');
      const limits = { deadlineMs: PATIENCE_MS, maxResponseBytes: 1_000_000 };
      const own = adapters.createEsplora(secret, 'bitcoin', 'regtest', limits);
      esplora.fault = () => response;
      const failure = await own.tip().catch((error: unknown) => error);
      expect(String(failure)).toMatch(message);
      expect(String(failure)).not.toMatch(/secret|127\.0\.0\.1/);
    });
  });
});
