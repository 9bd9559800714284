import { createApp } from '../src/app.js';
import { ChainLeaseService } from '../src/chain-watcher/chain-lease.service.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { blockUpdates } from './support/blocked-table.js';
import { Engine } from './support/engine.js';
import type { EngineWorld, Lie } from './support/engine-world.js';
import { logSink } from './support/leaks/watch-leaks.js';

/** What every chain goes through, in this order. */
export const ITEMS = [
  'derive',
  'mempool sight',
  '1..n confirmations',
  'reorg back to mempool',
  'reorg with a double spend',
  'replaced',
  'dropped',
  'failed transaction',
  'two outputs to one address in one transaction',
  'tip goes backwards',
  'node down in the middle of a step',
  'restart in the middle of a block',
  'two workers at once',
  'address paid before the engine starts',
] as const;
export type Item = (typeof ITEMS)[number];

/** What a family brings to the suite. */
export interface EngineSuite<W extends EngineWorld> {
  open(): Promise<W>;
  /** Why an item means nothing on this family; it is printed. */
  notApplicable?: Partial<Record<Item, string>>;
  lies: readonly Lie<W>[];
  /** Somebody else can be asked: then no lie delays anything. */
  hasWitness?: boolean;
}

/** Of the node's calls in one step, this many are tried out as its last. */
const MAX_CALLS = 40;

/** Turns that a gateway may take to find out which of its endpoints lies. */
const MAX_TURNS = 3;

type Scenario = (engine: Engine) => Promise<void>;

const SCENARIOS: Record<Item, Scenario> = {
  derive: async (engine) => {
    const { shop, slug, method } = engine.world;
    const [one, two] = [await engine.asked(), await engine.asked()];
    expect(one.key.equals(two.key)).toBe(false);
    const again = await shop.instructions(one.payment, method, slug);
    expect(again.address).toBe(one.instructions.address);
  },

  'mempool sight': async (engine) => {
    const asked = await engine.asked();
    const txHash = await engine.world.hand.pay([{ key: asked.key, amount: asked.due }]);
    await engine.watch();
    expect(await engine.payment(asked)).toMatchObject({
      status: 'FOUND',
      receivedAmount: { amount: 0 },
      transactions: [{ txHash, status: 'PENDING', confirmations: 0 }],
    });
    await engine.mine(engine.world.confirmations);
    await engine.expectPaid(asked);
  },

  '1..n confirmations': async (engine) => {
    const asked = await engine.asked();
    await engine.world.hand.pay([{ key: asked.key, amount: asked.due }]);
    for (let confirmations = 1; confirmations < engine.world.confirmations; confirmations++) {
      await engine.mine();
      expect(await engine.payment(asked)).toMatchObject({
        status: 'FOUND',
        receivedAmount: { amount: 0 },
        transactions: [{ status: 'PENDING', confirmations }],
      });
    }
    await engine.mine();
    await engine.expectPaid(asked);
  },

  'reorg back to mempool': async (engine) => {
    const { hand, confirmations } = engine.world;
    const asked = await engine.asked();
    const txHash = await minedThenWaiting(engine, asked);
    expect(await engine.payment(asked)).toMatchObject({
      status: 'FOUND',
      transactions: [{ txHash, status: 'PENDING', confirmations: 0 }],
    });
    expect(await engine.transfers(asked)).toMatchObject([{ block_height: null }]);
    await hand.mine();
    await engine.mine(confirmations - 1);
    await engine.expectPaid(asked);
    expect(await engine.transfers(asked)).toHaveLength(1);
  },

  'reorg with a double spend': async (engine) => {
    const { hand, confirmations } = engine.world;
    const asked = await engine.asked();
    const [ours, theirs] = await hand.rivals(
      { key: asked.key, amount: asked.due },
      { key: hand.newKey(), amount: asked.due },
    );
    await hand.submit(ours);
    await engine.mine();
    expect(await engine.payment(asked)).toMatchObject({ status: 'FOUND' });
    await hand.fork(1, [theirs]);
    await engine.mine();
    const { status, foundAt, transactions } = await engine.payment(asked);
    expect({ status, foundAt }).toEqual({ status: 'OPEN', foundAt: null });
    expect(transactions[0]?.status).toMatch(/^(ORPHANED|REPLACED)$/);
    await hand.pay([{ key: asked.key, amount: asked.due }]);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
  },

  replaced: async (engine) => {
    const { hand, confirmations } = engine.world;
    const asked = await engine.asked();
    const output = { key: asked.key, amount: asked.due };
    const [slow, quick] = await hand.rivals(output, output);
    await hand.submit(slow);
    await engine.watch();
    const txHash = await hand.submit(quick);
    await engine.watch();
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    const counted = (await engine.transfers(asked)).filter(({ state }) => state === 'confirmed');
    expect(counted).toMatchObject([{ tx_hash: txHash }]);
  },

  dropped: async (engine) => {
    const asked = await engine.asked();
    const txHash = await minedThenWaiting(engine, asked);
    const remember = await engine.world.forget(txHash);
    await engine.watch();
    expect(await engine.payment(asked)).toMatchObject({ status: 'OPEN', foundAt: null });
    expect(await engine.transfers(asked)).toMatchObject([{ tx_hash: txHash, state: 'dropped' }]);
    await remember();
    await engine.mine(engine.world.confirmations);
    await engine.expectPaid(asked);
  },

  'failed transaction': async (engine) => {
    const asked = await engine.asked();
    await engine.world.payInVain?.(asked.key, asked.due);
    await engine.mine(engine.world.confirmations);
    expect(await engine.payment(asked)).toMatchObject({ status: 'OPEN', transactions: [] });
  },

  'two outputs to one address in one transaction': async (engine) => {
    const { hand, confirmations } = engine.world;
    const { due, ...asked } = await engine.asked();
    await hand.pay([
      { key: asked.key, amount: due / 2n },
      { key: hand.newKey(), amount: 9_999n },
      { key: asked.key, amount: due - due / 2n },
    ]);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    const rows = await engine.transfers(asked);
    expect(new Set(rows.map(({ tx_hash: txHash }) => txHash)).size).toBe(1);
    expect(new Set(rows.map(({ ordinal }) => ordinal)).size).toBe(2);
  },

  'tip goes backwards': async (engine) => {
    const { hand, confirmations } = engine.world;
    const asked = await engine.asked();
    const signed = await hand.signed(await hand.pay([{ key: asked.key, amount: asked.due }]));
    await hand.mine(2);
    await engine.watcher.drain(engine.world.slug);
    const before = await engine.transfers(asked);
    expect(before).toMatchObject([{ block_height: expect.any(String) }]);
    await hand.rollback(2);
    await engine.watch();
    // A lower tip that we know may be a node that lags: nothing is taken back yet.
    expect(await engine.transfers(asked)).toEqual(before);
    await hand.submit(signed);
    await hand.mine(3);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    expect(await engine.transfers(asked)).toHaveLength(1);
  },

  'node down in the middle of a step': async (engine) => {
    const { world } = engine;
    const asked = [await engine.asked(), await engine.asked()];
    let faults = 0;
    // The node goes down at each of its calls in turn; a payment is in the block that is about to be applied.
    for (let calls = 0; calls < MAX_CALLS; calls++) {
      await world.hand.pay(asked.map(({ key, due }) => ({ key, amount: due / BigInt(MAX_CALLS) })));
      await world.hand.mine();
      world.breakAfter(calls);
      await engine.watcher.drain(world.slug);
      const fired = world.lied() > calls;
      world.beHonest();
      await engine.watcher.drain(world.slug);
      await engine.expectTruth();
      if (!fired) break;
      faults++;
    }
    expect(faults).toBeGreaterThan(3);
    expect(faults).toBeLessThan(MAX_CALLS);
  },

  'restart in the middle of a block': async (engine) => {
    const { hand, shop, slug, confirmations } = engine.world;
    const asked = await engine.asked();
    await engine.watch();
    const before = await engine.cursor();
    await hand.pay([{ key: asked.key, amount: asked.due }]);
    await hand.mine();
    // Everything is written and the payment is about to move when the process dies.
    const blocked = await blockUpdates(shop.gateway.databaseUrl, 'payments');
    const step = engine.watcher.runOnce(slug);
    await blocked.untilWaiting(1);
    await blocked.killWaiting();
    await blocked.release();
    await step;
    expect(await engine.cursor()).toEqual(before);
    expect(await engine.transfers(asked)).toEqual([]);
    shop.gateway = await shop.gateway.restart();
    await engine.mine(confirmations - 1);
    await engine.expectPaid(asked);
  },

  'two workers at once': async (engine) => {
    const { hand, shop, slug, confirmations } = engine.world;
    const asked = await engine.asked();
    const second = await createApp({ ...shop.gateway.config, port: 0 }, shop.gateway.clock, logSink);
    await second.init();
    const other = second.get(ChainWatcherService, { strict: false });
    const leases = [shop.gateway.app, second].map((app) => app.get(ChainLeaseService, { strict: false }));
    let signed = '';
    try {
      for (let round = 0; round < 12; round++) {
        if (round === 4) signed = await hand.signed(await hand.pay([{ key: asked.key, amount: asked.due }]));
        // The first fork after the payment mines it again; the later ones do not reach so deep.
        if (round % 3 === 2) await hand.fork(2, round === 5 ? [signed] : []);
        else await hand.mine();
        // Whoever comes first takes over, in the middle of the other's turn.
        await engine.endLease();
        await Promise.all([engine.watcher.runOnce(slug), other.runOnce(slug), engine.watcher.runOnce(slug)]);
        // However that went, the other one takes over now.
        await engine.endLease();
        for (const lease of leases) lease.doubt(slug);
        await (round % 2 === 0 ? other : engine.watcher).drain(slug);
      }
    } finally {
      await second.close();
    }
    const [lease] = await shop.gateway.sql.query<{ epoch: string }>(
      'select epoch from chain_leases where chain = $1',
      [slug],
    );
    expect(Number(lease?.epoch)).toBeGreaterThanOrEqual(12);
    shop.gateway = await shop.gateway.restart();
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
  },

  'address paid before the engine starts': async (engine) => {
    const { hand, shop, slug, confirmations } = engine.world;
    const asked = await engine.asked();
    const rows = () => shop.gateway.sql.query('select * from payment_transfers order by id');
    const earlier = await rows();
    await shop.whileDown(async () => {
      await hand.pay([{ key: asked.key, amount: asked.due }]);
      await hand.mine(confirmations);
    });
    // An engine that has never seen the chain: it begins below the tip, and comes by all earlier payments again.
    for (const table of ['chain_cursors', 'chain_blocks', 'chain_conditions'] as const)
      await shop.gateway.sql.query(FORGET[table], [slug]);
    await engine.watch();
    await engine.expectPaid(asked);
    expect((await rows()).slice(0, earlier.length)).toEqual(earlier);
  },
};

const FORGET = {
  chain_cursors: 'delete from chain_cursors where chain = $1',
  chain_blocks: 'delete from chain_blocks where chain = $1',
  chain_conditions: 'delete from chain_conditions where chain = $1',
};

/** Pays in a block that a fork takes away; the transaction waits again. Answers its hash. */
async function minedThenWaiting(engine: Engine, { key, due }: { key: Buffer; due: bigint }): Promise<string> {
  const { hand } = engine.world;
  const txHash = await hand.pay([{ key, amount: due }]);
  const signed = await hand.signed(txHash);
  await engine.mine();
  await hand.fork(1, []);
  await hand.submit(signed);
  await engine.watch();
  return txHash;
}

/** What the whole gateway promises on every chain; runs against a real node, through the public door. */
export function describeChainEngine<W extends EngineWorld>(
  name: string,
  { open, notApplicable = {}, lies, hasWitness = false }: EngineSuite<W>,
): void {
  describe(`chain engine contract: ${name}`, () => {
    let world: W;
    let engine: Engine;
    const lied = new Map<string, number>();

    beforeAll(async () => {
      world = await open();
      engine = new Engine(world);
      await engine.watch();
    });
    afterEach(async () => {
      world.beHonest();
      await engine.watch();
      await engine.expectTruth();
    });
    afterAll(async () => {
      process.stdout.write(summary(name, notApplicable, lied));
      await world?.close();
    });

    for (const item of ITEMS) {
      const reason = notApplicable[item];
      if (reason !== undefined) it.skip(`${item} (not applicable: ${reason})`, () => {});
      else it(item, () => SCENARIOS[item](engine));
    }

    it.each([...lies])('a node that $name: nothing wrong is written, nothing is lost', async (lie) => {
      const { hand, confirmations } = world;
      const asked = await engine.asked();
      await world.payFully(asked.payment);
      await lie.begin(world);
      // First while nothing is new, then while there is something to find.
      await engine.watcher.drain(world.slug);
      await hand.mine(confirmations);
      await hand.pay([{ key: hand.newKey(), amount: 10_000n }]);
      await engine.watch();
      // Where there is a witness, a turn that finds out who is wrong may write nothing; the next one asks the other.
      for (let turn = 0; hasWitness && turn < MAX_TURNS; turn++) await engine.watch();
      lied.set(lie.name, world.lied());
      expect(world.lied()).toBeGreaterThan(0);
      if (lie.meanwhile === 'credits' || (hasWitness && lie.meanwhile === 'waits'))
        await engine.expectPaid(asked);
      else if (lie.meanwhile === 'waits') await engine.expectNothingMined(asked);
      else if (lie.meanwhile === 'sees') await engine.expectNothingCounted(asked);
      world.beHonest();
      await engine.watch();
      await engine.expectPaid(asked);
    });
  });
}

/** One table a family: what does not apply and why, and how often each lie was told. */
function summary(
  name: string,
  notApplicable: Partial<Record<Item, string>>,
  lied: ReadonlyMap<string, number>,
): string {
  const items = ITEMS.map(
    (item) => `  ${item}: ${notApplicable[item] ? `not applicable: ${notApplicable[item]}` : 'ran'}`,
  );
  const lies = [...lied].map(([lie, times]) => `  ${String(times).padStart(5)}  ${lie}`);
  const total = [...lied.values()].reduce((sum, times) => sum + times, 0);
  return [
    `${name}: contract items`,
    ...items,
    `${name}: ${lied.size} kinds of lies, told ${total} times`,
    ...lies,
    '',
  ].join('\n');
}
