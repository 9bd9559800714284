import { HDKey } from '@scure/bip32';
import { Logger } from '@nestjs/common';
import { utxoAddress } from '../src/chains/utxo/utxo-address.pure.js';
import type { UtxoAdapter } from '../src/chains/utxo/utxo-adapter.js';
import { descriptorChecksum } from '../src/wallets/output-descriptor.pure.js';
import { type AdapterDriver, creditsAt, describeChainAdapter } from './chain-adapter.contract.js';
import { answering, changed, RpcProxy } from './support/rpc-proxy.js';
import { describeWithLitecoin, describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { newScriptKey, UtxoAdapters } from './support/utxo-chain.js';
import { utxoDriver } from './support/utxo-driver.js';

describeWithNode('a UTXO node', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;
  let adapter: UtxoAdapter;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    node = await startUtxoNode();
    adapter = adapters.create(node.url);
  });
  afterAll(async () => {
    await adapters.close();
    await node?.stop();
  });

  async function startDriver(): Promise<AdapterDriver> {
    return { ...utxoDriver(node), adapter, misnamed: adapters.create(node.url, 'bitcoin', 'mainnet') };
  }

  describeChainAdapter('UTXO', startDriver);

  describe('the UTXO adapter', () => {
    it('credits each output with its own position and what the transaction spends', async () => {
      const key = newScriptKey();
      const coin = await node.coin(1_000_000n);
      const hex = await node.sign(
        [coin],
        [
          { key, amount: 7n },
          { key: newScriptKey(), amount: 8n },
          { key, amount: 9n },
        ],
      );
      const txHash = await node.broadcast(hex);
      const height = await node.mine();
      const inputs = [`${coin.txid}:${coin.vout}`];
      expect(await creditsAt(adapter, height, [key])).toEqual([
        { txHash, ordinal: 'vout:0', asset: 'native', key, amount: 7n, inputs },
        { txHash, ordinal: 'vout:2', asset: 'native', key, amount: 9n, inputs },
      ]);
      const block = await adapter.block(height);
      expect(block?.spends?.get(inputs[0] ?? '')).toBe(txHash);
    });

    it('credits every script type of a wallet, with the same address text as the node', async () => {
      const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/1'/0'/0");
      for (const [i, type] of (['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const).entries()) {
        const { publicKey } = account.deriveChild(i);
        if (!publicKey) throw new Error('no key');
        const family = process.env['BITCOIND_BIN'] ? 'bitcoin' : 'litecoin';
        const { key, address } = utxoAddress(publicKey, family, 'regtest', type);
        const info = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
        expect(info.scriptPubKey).toBe(key.toString('hex'));
        await node.pay([{ key, amount: 1_000n }]);
        expect((await creditsAt(adapter, await node.mine(), [key])).map(({ amount }) => amount)).toEqual([
          1_000n,
        ]);
      }
    });

    it('writes descriptor checksums as the node does', async () => {
      const key = HDKey.fromMasterSeed(Buffer.alloc(32, 7), {
        private: 0x04358394,
        public: 0x043587cf,
      }).derive("m/84'/1'/0'").publicExtendedKey;
      for (const body of [
        `wpkh(${key}/0/*)`,
        `pkh([d34db33f/44'/1'/0']${key}/0/*)`,
        `sh(wpkh(${key}/0/*))`,
      ]) {
        const { checksum } = await node.rpc<{ checksum: string }>('getdescriptorinfo', [body]);
        expect(descriptorChecksum(body)).toBe(checksum);
      }
    });

    it('no longer knows a transaction that a stale block alone holds, although the node still finds it', async () => {
      const coin = await node.coin(1_000_000n);
      const [one, two] = [
        await node.sign([coin], [{ key: newScriptKey(), amount: 5n }]),
        await node.sign([coin], [{ key: newScriptKey(), amount: 6n }]),
      ];
      const stale = await node.broadcast(one);
      await node.mine();
      await node.rollback(1);
      await node.mineOnly([two]);
      expect(await adapter.transactionFate(stale)).toBe('unknown');
      expect(await node.rpc('getrawtransaction', [stale, true])).toMatchObject({ confirmations: 0 });
    });

    it('lists pending transactions with what they spend, until a block has them', async () => {
      const coin = await node.coin(1_000_000n);
      const [first, second] = [
        await node.sign([coin], [{ key: newScriptKey(), amount: 7n }]),
        await node.sign([coin], [{ key: newScriptKey(), amount: 8n }], 50_000n),
      ];
      const key = newScriptKey();
      const [replaced, other] = [await node.broadcast(first), await node.pay([{ key, amount: 5n }])];
      expect(await adapter.mempool.list()).toEqual(expect.arrayContaining([replaced, other]));
      const raised = await node.broadcast(second);
      const waiting = await adapter.mempool.list();
      expect(waiting).toEqual(expect.arrayContaining([raised, other]));
      expect(waiting).not.toContain(replaced);
      const { transactions: read, unread } = await adapter.mempool.read([
        replaced,
        raised,
        other,
        'ab'.repeat(32),
      ]);
      expect(unread).toEqual([]);
      expect(read.map(({ txHash }) => txHash)).toEqual([raised, other]);
      expect(read[0]?.inputs).toEqual([`${coin.txid}:${coin.vout}`]);
      expect(read[1]?.transfers[0]).toEqual({
        txHash: other,
        ordinal: 'vout:0',
        asset: 'native',
        key,
        amount: 5n,
        inputs: read[1]?.inputs,
      });
      await node.mine();
      expect(await adapter.mempool.list()).toEqual([]);
    });

    it('caches the newest block of the node for at most a second', async () => {
      const { height } = await adapter.tip();
      const before = await adapter.block(height);
      if (!before) throw new Error('no newest block');
      await node.fork(1);
      adapters.clock.advanceSeconds(2);
      expect((await adapter.block(height))?.hash).toBe(await node.hashAt(height));
      await expect(adapter.verify(before, before.candidates)).rejects.toThrow('has left block');
    });

    it('reports a transaction that never existed as unknown', async () => {
      expect(await adapter.transactionFate('ab'.repeat(32))).toBe('unknown');
    });

    it('refuses a node of another chain with the right name', async () => {
      const proxy = await RpcProxy.start(node.url);
      proxy.setFaults({ getblockchaininfo: changed((result: object) => ({ ...result, chain: 'main' })) });
      const litecoin = adapters.create(proxy.url, 'litecoin', 'mainnet');
      await expect(litecoin.probe()).rejects.toThrow(
        /block 0 of the node is [0-9a-f]{64}, expected 12a765e3/,
      );
      await proxy.stop();
    });
  });

  const genesisOf = { testnet4: '00000000da84f2ba', signet: '0000000881987' };
  it.each(['testnet4', 'signet'] as const)(
    'a node of another network, by name or by first block, is refused for %s',
    async (network) => {
      await expect(adapters.create(node.url, 'bitcoin', network).probe()).rejects.toThrow(
        /network "regtest"/,
      );
      const proxy = await RpcProxy.start(node.url);
      proxy.setFaults({ getblockchaininfo: changed((result: object) => ({ ...result, chain: network })) });
      await expect(adapters.create(proxy.url, 'bitcoin', network).probe()).rejects.toThrow(
        `expected ${genesisOf[network]}`,
      );
      await proxy.stop();
    },
  );

  describe('a node that returns wrong data is caught:', () => {
    let proxy: RpcProxy;
    let faulted: UtxoAdapter;

    beforeAll(async () => {
      proxy = await RpcProxy.start(node.url);
      faulted = adapters.create(proxy.url);
    });
    afterEach(() => proxy.setFaults({}));
    afterAll(() => proxy.stop());

    const flip = (at: number) => (result: unknown) => {
      const bytes = Buffer.from(String(result), 'hex');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes.toString('hex');
    };

    it.each<[string, (result: unknown) => unknown, RegExp]>([
      ['another header', flip(70), /another block/],
      ['another parent', flip(10), /another block/],
      [
        'a changed amount',
        (raw) => String(raw).replace('8813000000000000', '8913000000000000'),
        /not those of the block/,
      ],
      ['a block cut short', (raw) => String(raw).slice(0, -40), /ends too early/],
      ['half a byte', (raw) => String(raw).slice(0, -1), /ends too early/],
      ['no transactions', (raw) => `${String(raw).slice(0, 160)}00`, /without transactions/],
      ['a number', () => 5, /malformed text/],
      ['nothing', () => null, /malformed text/],
    ])('%s', async (_what, fault, message) => {
      await node.pay([{ key: newScriptKey(), amount: 5_000n }]);
      const height = await node.mine();
      proxy.setFaults({ getblock: changed(fault) });
      await expect(faulted.block(height)).rejects.toThrow(message);
      proxy.setFaults({});
      expect(await faulted.block(height)).not.toBeNull();
    });

    it('another header at a height', async () => {
      const height = await node.mine();
      proxy.setFaults({ getblockheader: changed(flip(4)) });
      await expect(faulted.header(height)).rejects.toThrow(/another block/);
    });

    it('a transaction under another hash', async () => {
      const txHash = await node.pay([{ key: newScriptKey(), amount: 5_000n }]);
      proxy.setFaults({
        getrawtransaction: changed((result: object) => ({ ...result, txid: 'ab'.repeat(32) })),
      });
      await expect(faulted.transactionFate(txHash)).rejects.toThrow(/another transaction/);
    });

    it('an invalid mempool, and a pending transaction under another hash', async () => {
      proxy.setFaults({ getrawmempool: changed(() => ({ size: 1 })) });
      await expect(faulted.mempool.list()).rejects.toThrow(/malformed mempool/);
      proxy.setFaults({ getrawmempool: changed(() => ['x']) });
      await expect(faulted.mempool.list()).rejects.toThrow(/malformed hash/);
      const txHash = await node.pay([{ key: newScriptKey(), amount: 5_000n }]);
      proxy.setFaults({ getrawtransaction: changed(flip(6)) });
      await expect(faulted.mempool.read([txHash])).rejects.toThrow(/another transaction|malformed/);
      proxy.setFaults({
        getrawtransaction: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -28, message: 'Loading' } }),
      });
      await expect(faulted.mempool.read([txHash])).rejects.toThrow(/Loading/);
    });

    it('an invalid height', async () => {
      proxy.setFaults({ getblockchaininfo: changed((result: object) => ({ ...result, blocks: -1 })) });
      await expect(faulted.tip()).rejects.toThrow(/malformed height/);
    });
  });
});

describeWithNode('a UTXO node without a transaction index', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;
  let proxy: RpcProxy;
  let adapter: UtxoAdapter;

  beforeAll(async () => {
    node = await startUtxoNode({ txindex: false });
    proxy = await RpcProxy.start(node.url);
    adapter = adapters.create(proxy.url);
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await adapters.close();
    await proxy?.stop();
    await node?.stop();
  });

  describeChainAdapter('UTXO without an index', async () => ({
    adapter,
    misnamed: adapters.create(node.url, 'bitcoin', 'mainnet'),
    large: 1_500_000_001n,
    newKey: newScriptKey,
    pay: (outputs) => node.pay(outputs),
    mine: (blocks) => node.mine(blocks),
    fork: (depth, keep) => node.fork(depth, keep),
    rollback: (depth) => node.rollback(depth),
  }));

  it('is enough to find a transaction whose outputs are all spent, reading only new blocks', async () => {
    const coin = await node.coin(1_000_000n);
    const own = await node.newScript();
    const txHash = await node.broadcast(await node.sign([coin], [{ key: own, amount: 500_000n }]));
    await node.mine();
    const outputs = [500_000n, coin.amount - 510_000n].map((amount, vout) => ({
      txid: txHash,
      vout,
      amount,
    }));
    const later = await node.broadcast(await node.sign(outputs, [{ key: newScriptKey(), amount: 400_000n }]));
    await node.mine(2);
    expect(await node.rpc('gettxout', [txHash, 0])).toBeNull();
    expect(await adapter.transaction(txHash)).toMatchObject({ fate: 'mined', confirmations: 3 });
    expect(await adapter.transaction(later)).toMatchObject({ fate: 'mined', confirmations: 2 });

    const blocksRead = () => proxy.seen.filter(({ method }) => method === 'getblock').length;
    proxy.setFaults({});
    expect(await adapter.transaction('ab'.repeat(32))).toEqual({ fate: 'unknown' });
    expect(blocksRead()).toBe(144);
    await node.mine(2);
    proxy.setFaults({});
    expect(await adapter.transaction('ab'.repeat(32))).toEqual({ fate: 'unknown' });
    expect(blocksRead()).toBe(2);
  });

  it('is believed about a transaction only after reading its block', async () => {
    const txHash = await node.pay([{ key: newScriptKey(), amount: 5n }]);
    await node.mine(3);
    proxy.setFaults({
      gettxout: changed((result: object | null) => result && { ...result, confirmations: 1 }),
    });
    await expect(adapter.transaction(txHash)).rejects.toThrow(/does not hold/);
    expect(proxy.faulted).toBeGreaterThan(0);
    proxy.setFaults({
      gettxout: changed((result: object | null) => result && { ...result, confirmations: 0.5 }),
    });
    await expect(adapter.transaction(txHash)).rejects.toThrow(/malformed height/);
    proxy.setFaults({
      gettxout: answering(null),
      getblock: changed((result: object) => ({ ...result, tx: 5 })),
    });
    await expect(adapter.transaction(txHash)).rejects.toThrow(/malformed list/);
  });
});

describeWithLitecoin('a Litecoin node with extension blocks', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;

  beforeAll(async () => {
    node = await startUtxoNode({ mweb: true });
  });
  afterAll(async () => {
    await adapters.close();
    await node?.stop();
  });

  it('is read from their activation on, with peg-ins and peg-outs', async () => {
    const adapter = adapters.create(node.url, 'litecoin');
    await adapter.probe();
    // Height 431 is the last without them; the first block with them needs a peg-in (LIP-3).
    await node.mine(431 - (await node.height()));
    const hidden = await node.rpc<string>('getnewaddress', ['', 'mweb']);
    const pegIn = await node.rpc<string>('sendtoaddress', [hidden, 1]);
    const key = newScriptKey();
    const paid = await node.pay([{ key, amount: 123_456_789n }]);
    await node.mine(2);
    const pegOut = await node.rpc<string>('sendtoaddress', [await node.newAddress(), 0.5]);
    expect(await adapter.transactionFate(pegOut)).toBe('mempool');
    const height = await node.mine(2);
    const seen = [];
    for (let at = 432; at <= height; at++) {
      const block = await adapter.block(at);
      const fromNode = await node.rpc<{ hash: string; mweb?: object; tx: string[] }>('getblock', [
        await node.hashAt(at),
        1,
      ]);
      expect(block?.hash).toBe(fromNode.hash);
      expect(fromNode.mweb).toBeDefined();
      // The last transaction integrates the extension block; what it spends and pays is transparent.
      expect([...(block?.spends?.values() ?? [])]).toContain(fromNode.tx.at(-1));
      seen.push(...(await creditsAt(adapter, at, [key])));
    }
    expect(seen).toMatchObject([{ txHash: paid, amount: 123_456_789n }]);
    expect(await adapter.transactionFate(pegIn)).toBe('mined');
  });
});
