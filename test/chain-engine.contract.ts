import { createApp } from '../src/app.js';
import { ChainLeaseService } from '../src/chain-watcher/chain-lease.service.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { blockUpdates } from './support/blocked-table.js';
import { Engine } from './support/engine.js';
import type { EngineHarness, Fault } from './support/engine-harness.js';
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
export interface EngineSuite<W extends EngineHarness> {
  open(): Promise<W>;
  /** Why an item means nothing on this family; it is printed. */
  notApplicable?: Partial<Record<Item, string>>;
  faults: readonly Fault<W>[];
  /** Another endpoint can be asked: then no fault delays anything. */
  hasSecondEndpoint?: boolean;
}

/** Of the node's calls in one step, this many are tried out as its last. */
const MAX_CALLS = 40;

/** Turns that a gateway may take to find out which of its endpoints is wrong. */
const MAX_TURNS = 3;

type Scenario = (engine: Engine) => Promise<void>;

const SCENARIOS: Record<Item, Scenario> = {
  derive: async (engine) => {
    const { shop, slug, method } = engine.harness;
    const [one, two] = [await engine.asked(), await engine.asked()];
    expect(one.key.equals(two.key)).toBe(false);
    const again = await shop.instructions(one.payment, method, slug);
    expect(again.address).toBe(one.instructions.address);
  },

  'mempool sight': async (engine) => {
    const asked = await engine.asked();
    const txHash = await engine.harness.driver.pay([{ key: asked.key, amount: asked.due }]);
    await engine.watch();
    expect(await engine.payment(asked)).toMatchObject({
      status: 'FOUND',
      receivedAmount: { amount: 0 },
      transactions: [{ txHash, status: 'PENDING', confirmations: 0 }],
    });
    await engine.mine(engine.harness.confirmations);
    await engine.expectPaid(asked);
  },

  '1..n confirmations': async (engine) => {
    const asked = await engine.asked();
    await engine.harness.driver.pay([{ key: asked.key, amount: asked.due }]);
    for (let confirmations = 1; confirmations < engine.harness.confirmations; confirmations++) {
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
    const { driver, confirmations } = engine.harness;
    const asked = await engine.asked();
    const txHash = await minedThenWaiting(engine, asked);
    expect(await engine.payment(asked)).toMatchObject({
      status: 'FOUND',
      transactions: [{ txHash, status: 'PENDING', confirmations: 0 }],
    });
    expect(await engine.transfers(asked)).toMatchObject([{ block_height: null }]);
    await driver.mine();
    await engine.mine(confirmations - 1);
    await engine.expectPaid(asked);
    expect(await engine.transfers(asked)).toHaveLength(1);
  },

  'reorg with a double spend': async (engine) => {
    const { driver, confirmations } = engine.harness;
    const asked = await engine.asked();
    const [ours, theirs] = await driver.rivals(
      { key: asked.key, amount: asked.due },
      { key: driver.newKey(), amount: asked.due },
    );
    await driver.submit(ours);
    await engine.mine();
    expect(await engine.payment(asked)).toMatchObject({ status: 'FOUND' });
    await driver.fork(1, [theirs]);
    await engine.mine();
    const { status, foundAt, transactions } = await engine.payment(asked);
    expect({ status, foundAt }).toEqual({ status: 'OPEN', foundAt: null });
    expect(transactions[0]?.status).toMatch(/^(ORPHANED|REPLACED)$/);
    await driver.pay([{ key: asked.key, amount: asked.due }]);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
  },

  replaced: async (engine) => {
    const { driver, confirmations } = engine.harness;
    const asked = await engine.asked();
    const output = { key: asked.key, amount: asked.due };
    const [slow, quick] = await driver.rivals(output, output);
    await driver.submit(slow);
    await engine.watch();
    const txHash = await driver.submit(quick);
    await engine.watch();
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    const counted = (await engine.transfers(asked)).filter(({ state }) => state === 'confirmed');
    expect(counted).toMatchObject([{ tx_hash: txHash }]);
  },

  dropped: async (engine) => {
    const asked = await engine.asked();
    const txHash = await minedThenWaiting(engine, asked);
    const remember = await engine.harness.forget(txHash);
    await engine.watch();
    expect(await engine.payment(asked)).toMatchObject({ status: 'OPEN', foundAt: null });
    expect(await engine.transfers(asked)).toMatchObject([{ tx_hash: txHash, state: 'dropped' }]);
    await remember();
    await engine.mine(engine.harness.confirmations);
    await engine.expectPaid(asked);
  },

  'failed transaction': async (engine) => {
    const asked = await engine.asked();
    await engine.harness.payInVain?.(asked.key, asked.due);
    await engine.mine(engine.harness.confirmations);
    expect(await engine.payment(asked)).toMatchObject({ status: 'OPEN', transactions: [] });
  },

  'two outputs to one address in one transaction': async (engine) => {
    const { driver, confirmations } = engine.harness;
    const { due, ...asked } = await engine.asked();
    await driver.pay([
      { key: asked.key, amount: due / 2n },
      { key: driver.newKey(), amount: 9_999n },
      { key: asked.key, amount: due - due / 2n },
    ]);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    const rows = await engine.transfers(asked);
    expect(new Set(rows.map(({ tx_hash: txHash }) => txHash)).size).toBe(1);
    expect(new Set(rows.map(({ ordinal }) => ordinal)).size).toBe(2);
  },

  'tip goes backwards': async (engine) => {
    const { driver, confirmations } = engine.harness;
    const asked = await engine.asked();
    const signed = await driver.signed(await driver.pay([{ key: asked.key, amount: asked.due }]));
    await driver.mine(2);
    await engine.watcher.drain(engine.harness.slug);
    const before = await engine.transfers(asked);
    expect(before).toMatchObject([{ block_height: expect.any(String) }]);
    await driver.rollback(2);
    await engine.watch();
    // A lower tip that we know may be a node that lags: nothing is taken back yet.
    expect(await engine.transfers(asked)).toEqual(before);
    await driver.submit(signed);
    await driver.mine(3);
    await engine.mine(confirmations);
    await engine.expectPaid(asked);
    expect(await engine.transfers(asked)).toHaveLength(1);
  },

  'node down in the middle of a step': async (engine) => {
    const { harness } = engine;
    const asked = [await engine.asked(), await engine.asked()];
    let faults = 0;
    // The node goes down at each of its calls in turn; a payment is in the block that is about to be applied.
    for (let calls = 0; calls < MAX_CALLS; calls++) {
      await harness.driver.pay(asked.map(({ key, due }) => ({ key, amount: due / BigInt(MAX_CALLS) })));
      await harness.driver.mine();
      harness.breakAfter(calls);
      await engine.watcher.drain(harness.slug);
      const fired = harness.faulted() > calls;
      harness.clearFaults();
      await engine.watcher.drain(harness.slug);
      await engine.expectTruth();
      if (!fired) break;
      faults++;
    }
    // The tip, what the block moves and a receipt, at least.
    expect(faults).toBeGreaterThan(2);
    expect(faults).toBeLessThan(MAX_CALLS);
  },

  'restart in the middle of a block': async (engine) => {
    const { driver, shop, slug, confirmations } = engine.harness;
    const asked = await engine.asked();
    await engine.watch();
    const before = await engine.cursor();
    await driver.pay([{ key: asked.key, amount: asked.due }]);
    await driver.mine();
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
    const { driver, shop, slug, confirmations } = engine.harness;
    const asked = await engine.asked();
    const second = await createApp({ ...shop.gateway.config, port: 0 }, shop.gateway.clock, logSink);
    await second.init();
    const other = second.get(ChainWatcherService, { strict: false });
    const leases = [shop.gateway.app, second].map((app) => app.get(ChainLeaseService, { strict: false }));
    let signed = '';
    try {
      for (let round = 0; round < 12; round++) {
        if (round === 4)
          signed = await driver.signed(await driver.pay([{ key: asked.key, amount: asked.due }]));
        // The first fork after the payment mines it again; the later ones do not reach so deep.
        if (round % 3 === 2) await driver.fork(2, round === 5 ? [signed] : []);
        else await driver.mine();
        // The first to come takes over, in the middle of the other's turn.
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
    const { driver, shop, slug, confirmations } = engine.harness;
    const asked = await engine.asked();
    const rows = () => shop.gateway.sql.query('select * from payment_transfers order by id');
    const earlier = await rows();
    await shop.whileDown(async () => {
      await driver.pay([{ key: asked.key, amount: asked.due }]);
      await driver.mine(confirmations);
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

/** Pays in a block that a fork removes, so that the transaction is pending again. Returns its hash. */
async function minedThenWaiting(engine: Engine, { key, due }: { key: Buffer; due: bigint }): Promise<string> {
  const { driver } = engine.harness;
  const txHash = await driver.pay([{ key, amount: due }]);
  const signed = await driver.signed(txHash);
  await engine.mine();
  await driver.fork(1, []);
  await driver.submit(signed);
  await engine.watch();
  return txHash;
}

/** What the whole gateway promises on every chain; runs against a real node, over HTTP. */
export function describeChainEngine<W extends EngineHarness>(
  name: string,
  { open, notApplicable = {}, faults, hasSecondEndpoint = false }: EngineSuite<W>,
): void {
  describe(`chain engine contract: ${name}`, () => {
    let harness: W;
    let engine: Engine;
    const faulted = new Map<string, number>();

    beforeAll(async () => {
      harness = await open();
      engine = new Engine(harness);
      await engine.watch();
    });
    afterEach(async () => {
      harness.clearFaults();
      await engine.watch();
      await engine.expectTruth();
    });
    afterAll(async () => {
      process.stdout.write(summary(name, notApplicable, faulted));
      await harness?.close();
    });

    for (const item of ITEMS) {
      const reason = notApplicable[item];
      if (reason !== undefined) it.skip(`${item} (not applicable: ${reason})`, () => {});
      else it(item, () => SCENARIOS[item](engine));
    }

    it.each([...faults])('with a node that $name, records nothing wrong and loses nothing', async (fault) => {
      const { driver, confirmations } = harness;
      const asked = await engine.asked();
      await harness.payFully(asked.payment);
      await fault.begin(harness);
      // First while nothing is new, then while there is something to find.
      await engine.watcher.drain(harness.slug);
      await driver.mine(confirmations);
      await driver.pay([{ key: driver.newKey(), amount: 10_000n }]);
      await engine.watch();
      // With a second endpoint, the turn that finds the wrong one may write nothing; the next turn asks the other.
      for (let turn = 0; hasSecondEndpoint && turn < MAX_TURNS; turn++) await engine.watch();
      faulted.set(fault.name, harness.faulted());
      expect(harness.faulted()).toBeGreaterThan(0);
      if (fault.meanwhile === 'credits' || (hasSecondEndpoint && fault.meanwhile === 'waits'))
        await engine.expectPaid(asked);
      else if (fault.meanwhile === 'waits') await engine.expectNothingMined(asked);
      else if (fault.meanwhile === 'sees') await engine.expectNothingCounted(asked);
      harness.clearFaults();
      await engine.watch();
      await engine.expectPaid(asked);
    });
  });
}

/** One table a family: what does not apply and why, and how often each fault was injected. */
function summary(
  name: string,
  notApplicable: Partial<Record<Item, string>>,
  faulted: ReadonlyMap<string, number>,
): string {
  const items = ITEMS.map(
    (item) => `  ${item}: ${notApplicable[item] ? `not applicable: ${notApplicable[item]}` : 'ran'}`,
  );
  const faults = [...faulted].map(([fault, times]) => `  ${String(times).padStart(5)}  ${fault}`);
  const total = [...faulted.values()].reduce((sum, times) => sum + times, 0);
  return [
    `${name}: contract items`,
    ...items,
    `${name}: ${faulted.size} kinds of faults, injected ${total} times`,
    ...faults,
    '',
  ].join('\n');
}
