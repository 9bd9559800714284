import type { ChainAdapter, ObservedTransfer } from '../src/chains/chain-adapter.pure.js';
import type { ChainDriver } from './support/chain-driver.js';

/** A real chain with the {@link ChainAdapter} that reads it. */
export interface AdapterDriver extends ChainDriver {
  adapter: ChainAdapter;
  /** The same node under the name of another network. */
  misnamed: ChainAdapter;
}

/** What the block at a height credits to these keys, as the watcher would ask for it. */
export async function creditsAt(
  adapter: ChainAdapter,
  height: number,
  keys: readonly Buffer[],
): Promise<ObservedTransfer[]> {
  const block = await adapter.block(height);
  if (!block) throw new Error(`no block at ${height}`);
  const ours = block.candidates.filter(({ key }) => keys.some((one) => one.equals(key)));
  return adapter.verify(block, ours);
}

/** What every adapter promises; runs against a real node. */
export function describeChainAdapter(name: string, start: () => Promise<AdapterDriver>): void {
  describe(`chain adapter contract: ${name}`, () => {
    let chain: AdapterDriver;
    const credits = (height: number, ...keys: Buffer[]) => creditsAt(chain.adapter, height, keys);

    beforeAll(async () => {
      chain = await start();
    });

    it('accepts its own network and refuses another by name', async () => {
      await chain.adapter.probe();
      await expect(chain.misnamed.probe()).rejects.toThrow(/expected/);
    });

    it('links every header to the previous one, up to the tip and not beyond', async () => {
      const height = await chain.mine(3);
      const tip = await chain.adapter.tip();
      expect(tip.height).toBe(height);
      const header = await chain.adapter.header(height);
      expect(header).toMatchObject({ height, hash: tip.hash });
      expect(header?.parentHash).toBe((await chain.adapter.header(height - 1))?.hash);
      expect(header?.time).toBeInstanceOf(Date);
      expect(await chain.adapter.header(height + 1)).toBeNull();
      expect(await chain.adapter.block(height + 1)).toBeNull();
    });

    it('says how far the node is: it has the newest block, of this time', async () => {
      const height = await chain.mine();
      await chain.adapter.tip();
      const header = await chain.adapter.header(height);
      expect(await chain.adapter.progress()).toEqual({
        headTime: header?.time,
        isSyncing: false,
        blocksLeft: null,
      });
    });

    it('returns a block with its own header', async () => {
      const height = await chain.mine();
      const header = await chain.adapter.header(height);
      expect(header).not.toBeNull();
      expect(await chain.adapter.block(height)).toMatchObject({ ...header });
      expect(await credits(height, chain.newKey())).toEqual([]);
    });

    it('credits a payment exactly, also when it is read again', async () => {
      const key = chain.newKey();
      const txHash = await chain.pay([{ key, amount: chain.large }]);
      const height = await chain.mine();
      const [transfer, ...more] = await credits(height, key);
      expect(more).toEqual([]);
      expect(transfer).toMatchObject({ txHash, asset: 'native', amount: chain.large });
      expect(transfer?.key).toEqual(key);
      expect(await credits(height, key)).toEqual([transfer]);
      expect(await credits(height, chain.newKey())).toEqual([]);
    });

    it('returns the same blocks in ranges, where it supports ranges', async () => {
      const key = chain.newKey();
      const from = (await chain.mine()) + 1;
      await chain.pay([{ key, amount: 3n }]);
      await chain.mine(2);
      await chain.pay([{ key, amount: 4n }]);
      const to = await chain.mine(2);
      const { adapter } = chain;
      if (!adapter.blocks) return;
      const blocks = await adapter.blocks(from, 100);
      while (blocks.length < 4) blocks.push(...(await adapter.blocks(from + blocks.length, 100)));
      expect(blocks.map(({ height }) => height)).toEqual([from, from + 1, from + 2, from + 3]);
      for (const block of blocks) {
        const { hash, parentHash, time } = block;
        expect(await adapter.header(block.height)).toMatchObject({ hash, parentHash, time });
        const ours = block.candidates.filter((candidate) => candidate.key.equals(key));
        expect(await adapter.verify(block, ours)).toEqual(await credits(block.height, key));
      }
      expect(await adapter.blocks(to + 1, 100)).toEqual([]);
    });

    it('distinguishes payments of one block and one transaction', async () => {
      const [one, two] = [chain.newKey(), chain.newKey()];
      await chain.pay([
        { key: one, amount: 5n },
        { key: two, amount: 6n },
        { key: one, amount: 5n },
      ]);
      await chain.pay([{ key: one, amount: 5n }]);
      const transfers = await credits(await chain.mine(), one, two);
      expect(transfers.map(({ amount }) => amount).toSorted((a, b) => Number(a - b))).toEqual([
        5n,
        5n,
        5n,
        6n,
      ]);
      expect(new Set(transfers.map(({ txHash, ordinal }) => `${txHash}/${ordinal}`)).size).toBe(4);
      expect(new Set(transfers.map(({ txHash }) => txHash)).size).toBe(2);
    });

    it('follows a transaction from the mempool into a block and out of it', async () => {
      const txHash = await chain.pay([{ key: chain.newKey(), amount: 1n }]);
      expect(await chain.adapter.transactionFate(txHash)).toBe('mempool');
      await chain.mine();
      expect(await chain.adapter.transactionFate(txHash)).toBe('mined');
      await chain.fork(1, []);
      expect(await chain.adapter.transactionFate(txHash)).not.toBe('mined');
    });

    it('reports the recipients of a transaction and its confirmations', async () => {
      const [one, two] = [chain.newKey(), chain.newKey()];
      const txHash = await chain.pay([{ key: one, amount: 5n }]);
      expect(await chain.adapter.transaction(txHash)).toEqual({ fate: 'mempool' });
      await chain.mine();
      const credits = [{ asset: 'native', key: one, amount: 5n }];
      // Beside them there may be change to the payer.
      const { height, hash } = await chain.adapter.tip();
      const block = { height, hash };
      const mined = {
        fate: 'mined',
        block,
        succeeded: true,
        credits: expect.arrayContaining(credits) as unknown,
      };
      expect(await chain.adapter.transaction(txHash)).toMatchObject({ ...mined, confirmations: 1 });
      // Others in later blocks change nothing but its depth.
      await chain.pay([{ key: two, amount: 7n }]);
      await chain.mine(2);
      expect(await chain.adapter.transaction(txHash)).toMatchObject({ ...mined, confirmations: 3 });
      await chain.fork(3, []);
      expect((await chain.adapter.transaction(txHash)).fate).not.toBe('mined');
    });

    it('returns every credit of a transaction with several', async () => {
      const [one, two] = [chain.newKey(), chain.newKey()];
      const outputs = [
        { key: one, amount: 5n },
        { key: two, amount: 6n },
        { key: one, amount: 5n },
      ];
      const txHash = await chain.pay(outputs);
      await chain.mine();
      const seen = await chain.adapter.transaction(txHash);
      const credited = seen.fate === 'mined' ? seen.credits : [];
      for (const key of [one, two])
        expect(credited.filter((credit) => credit.key.equals(key)).map(({ amount }) => amount)).toEqual(
          outputs.filter((output) => output.key === key).map(({ amount }) => amount),
        );
    });

    it('reports an unknown transaction as not found', async () => {
      const missing = (await chain.pay([{ key: chain.newKey(), amount: 1n }])).replace(/.{8}$/, '00000000');
      expect(await chain.adapter.transaction(missing)).toEqual({ fate: 'unknown' });
    });

    it('returns other hashes from a fork on, and no longer confirms the old block', async () => {
      const key = chain.newKey();
      await chain.pay([{ key, amount: 5n }]);
      const height = await chain.mine();
      const before = await chain.adapter.block(height);
      const parent = await chain.adapter.header(height - 1);
      await chain.fork(1, []);
      const after = await chain.adapter.block(height);
      expect(after?.hash).not.toBe(before?.hash);
      expect(after?.parentHash).toBe(before?.parentHash);
      expect(await chain.adapter.header(height - 1)).toEqual(parent);
      expect(await credits(height, key)).toEqual([]);
      if (!before) throw new Error('no block');
      await expect(chain.adapter.verify(before, before.candidates)).rejects.toThrow();
    });

    it('gives a transaction that is mined again the same identity', async () => {
      const key = chain.newKey();
      const outputs = [1n, 2n, 3n].map((amount) => ({ key, amount }));
      const first = await chain.pay([{ key: chain.newKey(), amount: 9n }]);
      const second = await chain.pay(outputs);
      const height = await chain.mine();
      const before = await credits(height, key);
      expect(before).toHaveLength(3);
      await chain.fork(1, [first, second]);
      expect(await chain.adapter.header(height)).not.toBeNull();
      expect(await credits(height, key)).toEqual(before);
    });

    it('returns a lower tip after it went back', async () => {
      const height = await chain.mine(3);
      await chain.rollback(2);
      expect((await chain.adapter.tip()).height).toBe(height - 2);
      expect(await chain.adapter.header(height)).toBeNull();
      expect(await chain.adapter.block(height - 1)).toBeNull();
    });

    it('returns nothing when asked to verify nothing', async () => {
      const block = await chain.adapter.block(await chain.mine());
      if (!block) throw new Error('no block');
      expect(await chain.adapter.verify(block, [])).toEqual([]);
    });
  });
}
