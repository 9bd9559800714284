import { setTimeout as delay } from 'node:timers/promises';
import { CHAINS, type ChainName, type Deployment } from './deployment.js';
import type { Merchant } from './merchant.js';
import { checkFeed, readBodies, readFeed } from './feed.js';
import { type Holding, findDiscrepancies } from './oracle.js';
import type { Payee } from './payees.js';
import { OCCURRENCES } from './occurrences.js';
import { DEEP, DEEPEST, describeStep, makeProgram, type Step, STEP_KINDS } from './program.js';
import { laggards, readRecords, readChains, readHoldings } from './chain-reader.js';

/** What nodes say to a step that cannot be done; the step is then none. */
export const REFUSALS =
  /(sendrawtransaction|signrawtransactionwithwallet|generateblock): |no such coin|nonce too (low|high)|underpriced|already (known|imported)/;
/** Steps that make blocks. */
const MOVES = /mine|reorg|double-spend/;
/** A catch-up during a program is no more than this; the end waits for everything. */
const CATCH_UP_MS = 700;
/** Leases of dead watchers are ended for them after this, in most programs. */
const LEASE_PATIENCE_MS = 1_000;
/** A gateway that does not come to both tips within this is stuck, also on a busy machine. */
const REST_MS = 60_000;
/** Steps after which the feed is read on. */
const FEED_STEPS = 5;
/** Blocks above the deepest fork, between two programs. */
const BETWEEN = DEEPEST + 10;

/** Thrown when the records are not what the chains say. */
export class WrongRecordsError extends Error {
  constructor(
    readonly findings: readonly string[],
    where: string,
  ) {
    super(`${where}:\n  ${findings.join('\n  ')}`);
  }
}

/** How a step went. */
type Outcome = 'done' | 'nothing' | 'refused';

/** Runs programs on deployments, and counts what happened in all of them. */
export class Campaign {
  private readonly counts = new Map<string, Record<Outcome, number>>();
  /** By payment, chain and asset. */
  private readonly holdings = new Map<string, Holding>();
  private readonly reached = { reorgs: 0, deep: 0, deepest: 0 };
  private readonly tally = new Map<string, number>();
  /** What was read of the feed of the deployment at hand, and the cursor behind it. */
  private read: { of: Deployment; bodies: readonly string[]; next: string | null } | null = null;
  private readonly feed = { payments: 0, events: 0, readings: 0 };
  private readonly gateway = { transfers: 0, reorgs: 0, deepest: 0, takeovers: 0, restarts: 0 };

  /**
   * @param steps of a program
   * @param patienceMs how long a gateway that stands on both tips may be wrong
   * @param readsFeed not where the gateway is wrong on purpose
   */
  constructor(
    private readonly steps: number,
    private readonly patienceMs: number,
    private readonly readsFeed = true,
  ) {}

  /** One program to its end. @throws Error with the program; its cause is a {@link WrongRecordsError} where the oracle spoke */
  async runSeed(deployment: Deployment, merchant: Merchant, seed: number): Promise<Payee[]> {
    const { evm, utxo } = deployment.surroundings;
    await Promise.all([evm.startOver(BETWEEN), utxo.startOver(BETWEEN)]);
    const payees = await merchant.openPayees(`seed-${seed}`);
    const lines: string[] = [];
    let frozenFor = 0;
    try {
      for (const [i, step] of makeProgram(seed, this.steps).entries()) {
        // What was read between two steps stays too, whatever the later ones take back.
        if (i % FEED_STEPS === FEED_STEPS - 1) await this.readOn(deployment, merchant).catch(() => undefined); // A cut connection: later.
        this.gateway.restarts += await deployment.supervise();
        const outcome = await this.try(deployment, step, payees);
        // Every branch, before the next step may take it away.
        if (MOVES.test(step.kind))
          await this.watch(deployment, payees, step.kind.startsWith('evm.') ? 'ethereum' : 'bitcoin');
        lines.push(`${i} ${describeStep(step)}${outcome === 'done' ? '' : `  (${outcome})`}`);
        this.count(step, outcome);
        if (step.kind === 'engine.freeze') frozenFor = 2 + (step.pick % 6);
        else if (--frozenFor === 0) deployment.thawWatchers();
      }
      deployment.thawWatchers();
      // Shallow blocks and a full mempool first, then everything buried.
      await evm.rise(1);
      await utxo.riseEmpty();
      await this.demandRight(deployment, merchant, payees, seed, 'as it stands');
      await this.demandFeed(deployment, merchant, seed, 'as it stands');
      await evm.rise(3);
      await utxo.rise(3);
      await this.demandRight(deployment, merchant, payees, seed, 'when all is buried');
      await this.demandFeed(deployment, merchant, seed + 1, 'when all is buried');
      this.feed.payments += payees.length;
      return payees;
    } catch (error) {
      deployment.thawWatchers();
      const program = lines.join('\n    ');
      throw new Error(`seed ${seed}\n  program so far:\n    ${program}\n  ${String(error)}`, {
        cause: error,
      });
    }
  }

  /** Waits until the gateway stands on both tips and its records are right. @throws WrongBooksError when it does not */
  async demandRight(
    deployment: Deployment,
    merchant: Merchant,
    payees: readonly Payee[],
    seed: number,
    when: string,
  ): Promise<void> {
    const start = performance.now();
    let restedSince: number | null = null;
    /** In some programs, a dead watcher's lease runs out by itself. */
    let mayEndLeases = seed % 4 !== 0;
    for (;;) {
      this.gateway.restarts += await deployment.supervise();
      const behind = await laggards(deployment);
      const findings = behind.length > 0 ? behind : await this.findings(deployment, merchant, payees);
      if (findings.length === 0) return;
      const now = performance.now();
      restedSince = behind.length > 0 ? null : (restedSince ?? now);
      const isGivenUp = restedSince === null ? now - start > REST_MS : now - restedSince > this.patienceMs;
      if (isGivenUp) {
        throw new WrongRecordsError(findings, `wrong ${when}, after ${Math.round(now - start)} ms`);
      }
      if (mayEndLeases && now - start > LEASE_PATIENCE_MS) {
        await deployment.endLeases();
        mayEndLeases = false;
      }
      await delay(50);
    }
  }

  /** Reads what is new in the feed, as a merchant's server does. */
  private async readOn(deployment: Deployment, merchant: Merchant): Promise<void> {
    if (!this.readsFeed) return;
    if (this.read?.of !== deployment) this.read = { of: deployment, bodies: [], next: null };
    const { bodies, next } = await readFeed((path) => merchant.get(path), 100, this.read.next);
    this.read = { of: deployment, bodies: [...this.read.bodies, ...bodies], next };
    this.feed.readings++;
  }

  /** The feed from its beginning, in pages of two sizes, is what was read before and what is new. @throws WrongRecordsError */
  private async demandFeed(
    deployment: Deployment,
    merchant: Merchant,
    seed: number,
    when: string,
  ): Promise<void> {
    if (!this.readsFeed) return;
    // How long the feed stands still while there is a worker: one that was killed starts slowly on a busy machine.
    let [restedSince, last] = [performance.now(), ''];
    for (;;) {
      this.gateway.restarts += await deployment.supervise();
      await this.readOn(deployment, merchant);
      const before = this.read?.bodies ?? [];
      const get = (path: string) => merchant.get(path);
      const [large, small] = [await readFeed(get, 100), await readFeed(get, 1 + (seed % 30))];
      const stored = await readBodies(deployment.db);
      const findings = [
        ...checkFeed(before, large.bodies, stored),
        ...(large.bodies.join() === small.bodies.join() ? [] : ['the feed: pages of two sizes differ']),
      ];
      if (findings.length === 0) {
        this.feed.events = Math.max(this.feed.events, large.bodies.length);
        return;
      }
      if (findings.join() !== last || !(await deployment.hasWorker())) {
        [restedSince, last] = [performance.now(), findings.join()];
      }
      if (performance.now() - restedSince > this.patienceMs) {
        // The next program is judged by itself.
        this.read = { of: deployment, ...large };
        throw new WrongRecordsError(findings, `the feed is wrong ${when}`);
      }
      await delay(200);
    }
  }

  private async findings(
    deployment: Deployment,
    merchant: Merchant,
    payees: readonly Payee[],
  ): Promise<string[]> {
    const records = await readRecords(deployment, merchant, payees);
    const { surroundings } = deployment;
    for (const chain of CHAINS) await this.watch(deployment, payees, chain);
    const chains = await readChains(surroundings, records.transfers);
    const holdings = [...this.holdings.values()].filter(({ paymentId }) =>
      payees.some((payee) => payee.paymentId === paymentId),
    );
    return findDiscrepancies(payees, { holdings, chains }, records);
  }

  /** Looks at what every address has, and remembers the most that it ever had. */
  private async watch(
    { surroundings }: Deployment,
    payees: readonly Payee[],
    chain: ChainName,
  ): Promise<void> {
    for (const holding of await readHoldings(surroundings, payees, chain)) {
      const key = `${holding.paymentId} ${chain} ${holding.asset}`;
      const before = this.holdings.get(key)?.everDeep ?? 0n;
      const everDeep = holding.deep > before ? holding.deep : before;
      this.holdings.set(key, { ...holding, everDeep });
    }
  }

  private async try(deployment: Deployment, step: Step, payees: readonly Payee[]): Promise<Outcome> {
    try {
      return (await this.act(deployment, step, payees)) ? 'done' : 'nothing';
    } catch (error) {
      if (REFUSALS.test(String(error))) return 'refused';
      throw error;
    }
  }

  private async act(deployment: Deployment, step: Step, payees: readonly Payee[]): Promise<boolean> {
    const { evm, utxo } = deployment.surroundings;
    switch (step.kind) {
      case 'engine.kill':
        // Not between two steps of the watcher's, as a rule.
        await delay(step.pick % 40);
        await deployment.killWatcher(step.pick);
        if (step.pick % 4 === 0) await deployment.killWorker();
        return true;
      case 'engine.freeze':
        return deployment.freezeWatcher(step.pick);
      case 'engine.lease-ends':
        await deployment.endLeases();
        return true;
      case 'engine.cut':
        await deployment.cutConnections();
        return true;
      case 'engine.breathe':
        await delay(step.pick % 80);
        return true;
      case 'engine.catch-up':
        return this.catchUp(deployment);
      default:
        return step.kind.startsWith('evm.') ? evm.act(step, payees) : utxo.act(step, payees);
    }
  }

  private async catchUp(deployment: Deployment): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS;
    while (performance.now() < deadline) {
      if ((await laggards(deployment)).length === 0) return true;
      await delay(20);
    }
    return false;
  }

  private count({ kind, depth }: Step, outcome: Outcome): void {
    const counts = this.counts.get(kind) ?? { done: 0, nothing: 0, refused: 0 };
    counts[outcome]++;
    this.counts.set(kind, counts);
    if (outcome !== 'done' || !kind.includes('reorg')) return;
    this.reached.reorgs++;
    if (depth >= DEEP) this.reached.deep++;
    this.reached.deepest = Math.max(this.reached.deepest, depth);
  }

  /** Adds what a deployment went through, read from its database. */
  async addUp({ db, surroundings: { evm, utxo } }: Deployment): Promise<void> {
    for (const [what, count] of [...evm.tally, ...utxo.tally])
      this.tally.set(what, (this.tally.get(what) ?? 0) + count);
    const { rows } = await db.query<{
      transfers: string;
      reorgs: string;
      deepest: string;
      takeovers: string;
    }>(
      `select (select count(*) from payment_transfers) as transfers, (select sum(epoch) from chain_leases) as takeovers,
         sum(reorgs) as reorgs, max(deepest_reorg) as deepest from chain_conditions`,
    );
    const [row] = rows;
    this.gateway.transfers += Number(row?.transfers ?? 0);
    this.gateway.reorgs += Number(row?.reorgs ?? 0);
    this.gateway.takeovers += Number(row?.takeovers ?? 0);
    this.gateway.deepest = Math.max(this.gateway.deepest, Number(row?.deepest ?? 0));
  }

  /** What never came to pass; a run without it proves less than it says. */
  missing(): string[] {
    const { gateway, reached } = this;
    const counts: [what: string, count: number][] = [
      ...STEP_KINDS.map((kind): [string, number] => [kind, this.counts.get(kind)?.done ?? 0]),
      ...OCCURRENCES.map((what): [string, number] => [what, this.tally.get(what) ?? 0]),
      [`reorgs of ${DEEP} blocks or more`, reached.deep],
      ['transfers', gateway.transfers],
      ['reorgs that the gateway saw', gateway.reorgs],
      ['watchers that took over', gateway.takeovers - CHAINS.length],
    ];
    return counts.filter(([, count]) => count <= 0).map(([what]) => what);
  }

  report(): string {
    const { reorgs, deep, deepest } = this.reached;
    const lines = STEP_KINDS.map((kind) => {
      const { done, nothing, refused } = this.counts.get(kind) ?? { done: 0, nothing: 0, refused: 0 };
      return `  ${kind.padEnd(24)} ${String(done).padStart(6)} done ${String(nothing).padStart(6)} without an object ${String(refused).padStart(6)} refused by the node`;
    });
    const { gateway } = this;
    return [
      ...lines,
      ...OCCURRENCES.map((what) => `  ${what}: ${this.tally.get(what) ?? 0}`),
      `  reorgs of the chains: ${reorgs}, ${deep} of them ${DEEP} blocks or more, the deepest ${deepest}`,
      `  seen by the gateway: ${gateway.transfers} transfers, ${gateway.reorgs} reorgs, the deepest ${gateway.deepest}; ` +
        `${gateway.takeovers} times a watcher took a chain over`,
      `  ${this.feed.payments} payments; the feed was read on ${this.feed.readings} times, at most ${this.feed.events} events`,
      `  starts that a cut connection ended, and the supervisor began again: ${gateway.restarts}`,
    ].join('\n');
  }
}
