import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { RatesStub } from '../../src/demo/rates-stub.js';
import { CONFIRMATIONS, ethereumEnv } from '../chain-fuzz/deployment.js';
import type { MerchantClient } from '../support/built-cli.js';
import type { EvmActor } from '../chain-fuzz/evm-actor.js';
import { findDiscrepancies } from '../chain-fuzz/oracle.js';
import { evmHoldings, readRecords, readEvmChain } from '../chain-fuzz/chain-reader.js';
import { createTestDatabase } from '../support/test-gateway.js';
import { countMade, mapInBatches, readCalls, readOutbox } from './stored-events.js';
import type { KillSchedule } from './kill-schedule.js';
import { Fleet } from './fleet.js';
import { Inbox } from './inbox.js';
import type { Launch } from './launch.js';
import { LoadGenerator } from './load-generator.js';
import { countRedeliveries, checkCalls, checkDeliveries } from './oracle.js';
import type { ProcessRole } from './crash-points.js';
import { RetryingMerchant } from './retrying-merchant.js';

/** Used by all rounds. */
export interface FaultHarness {
  evm: EvmActor;
  rates: RatesStub;
  client: MerchantClient;
  /** Folder for logs and certificates. */
  work: string;
}

export interface RoundOptions {
  seed: number;
  roles: readonly ProcessRole[];
  launch: (role: ProcessRole) => Launch;
  kills: KillSchedule;
  /** How long the records may be incomplete after the load has ended. */
  patienceMs: number;
}

/** What one round adds to the summary. */
export interface Tally {
  payments: number;
  refunds: number;
  transfers: number;
  events: number;
  transactions: number;
  forks: number;
  webhooks: number;
  redeliveredAfterSuccess: number;
  redeliveredAfterFailure: number;
  lostAnswers: number;
  refusedAnswers: number;
  replayedAnswers: number;
  leasesEnded: number;
  watchersTakenOver: number;
}

/** Seconds, as in src/chain-watcher and src/webhooks. The round ends a lease when its holder has been silent for so long. */
const CHAIN_LEASE = { lasts: 6, silence: 2.5 };
const WEBHOOK_TIMEOUT_MS = 2_000;
const DELIVERY_LEASE = { lasts: 30 + (2 * WEBHOOK_TIMEOUT_MS) / 1_000, silence: 2.5 };
const AGE_LEASES_EVERY_MS = 500;
/** A round ends when no process was killed for this long. */
const KILLING_MS_PER_KILL = 240_000;
/** One attempt per second, for longer than the merchant's server is ever unavailable. */
const RETRY_SCHEDULE = Array.from({ length: 120 }, (_, i) => i).join();

// Ends the leases of killed processes early, because a round cannot wait half a minute for each.
const END_CHAIN_LEASES = `
  update chain_leases set expires_at = now() - interval '1 second'
  where expires_at > now() and expires_at < now() + make_interval(secs => $1)`;
const END_DELIVERY_LEASES = `
  update webhook_deliveries set lease_until = clock_timestamp() - interval '1 second'
  where lease_until > clock_timestamp() and lease_until < clock_timestamp() + make_interval(secs => $1)`;
const CHECK_REFUNDS = `update refunds set next_check_at = now() where status = 'PROCESSING' and next_check_at > now()`;

/** Findings of the oracle; none if the records are correct. */
export interface RoundResult {
  findings: string[];
  tally: Tally;
}

/** One deployment under load and kills, and the check of its records. */
export class Round {
  private leasesEnded = 0;

  private constructor(
    private readonly harness: FaultHarness,
    private readonly options: RoundOptions,
    private readonly db: pg.Pool,
    private readonly fleet: Fleet,
    private readonly inbox: Inbox,
    private readonly merchant: RetryingMerchant,
    private readonly load: LoadGenerator,
  ) {}

  /** @returns the findings after the load has ended */
  static async run(harness: FaultHarness, options: RoundOptions): Promise<RoundResult> {
    const databaseUrl = await createTestDatabase();
    const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    const inbox = await Inbox.start(options.seed);
    const certificate = path.join(harness.work, `merchant-${options.seed}.pem`);
    await writeFile(certificate, inbox.certificate);
    const log = openSync(path.join(harness.work, 'logs', `round-${options.seed}.log`), 'a');
    const { launch, kills, seed } = options;
    const env = {
      ...ethereumEnv(harness, databaseUrl),
      NODE_EXTRA_CA_CERTS: certificate,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
      WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
    };
    const fleet = await Fleet.start({ launch, env, log, kills }, options.roles);
    try {
      const merchant = new RetryingMerchant(fleet.apiUrls, harness.client, `round-${seed}`);
      const load = new LoadGenerator(seed, merchant, harness.evm, inbox);
      return await new Round(harness, options, db, fleet, inbox, merchant, load).run();
    } finally {
      await fleet.stop();
      await Promise.all([inbox.stop(), db.end()]);
      closeSync(log);
    }
  }

  private async run(): Promise<RoundResult> {
    const { kills } = this.options;
    await this.merchant.open(this.inbox.url);
    this.load.open();
    let killed = kills.done.length;
    let lastKill = performance.now();
    while (!kills.isFulfilled && performance.now() - lastKill < KILLING_MS_PER_KILL) {
      await delay(AGE_LEASES_EVERY_MS);
      await this.ageLeases();
      if (kills.done.length > killed) lastKill = performance.now();
      killed = kills.done.length;
    }
    this.fleet.endKilling();
    this.inbox.recover();
    const aging = this.keepAging();
    try {
      const failure = await this.load.close().then(
        () => null,
        (error: unknown) => String(error),
      );
      await this.harness.evm.rise(CONFIRMATIONS.ethereum + 1);
      const findings = await this.awaitCorrectRecords();
      return { findings: failure === null ? findings : [failure, ...findings], tally: await this.count() };
    } finally {
      aging.stop();
      await aging.ended;
    }
  }

  private keepAging(): { stop: () => void; ended: Promise<void> } {
    let isStopped = false;
    const age = async () => {
      while (!isStopped) {
        await delay(AGE_LEASES_EVERY_MS);
        await this.ageLeases();
        await this.db.query(CHECK_REFUNDS);
      }
    };
    return { stop: () => (isStopped = true), ended: age() };
  }

  private async ageLeases(): Promise<void> {
    // On a busy machine, running processes are also silent for longer.
    const rest = ({ lasts, silence }: typeof CHAIN_LEASE) => Math.max(0, lasts - silence * this.fleet.pace);
    await this.db.query(END_CHAIN_LEASES, [rest(CHAIN_LEASE)]);
    const { rowCount } = await this.db.query(END_DELIVERY_LEASES, [rest(DELIVERY_LEASE)]);
    this.leasesEnded += rowCount ?? 0;
  }

  private async awaitCorrectRecords(): Promise<string[]> {
    const deadline = performance.now() + this.options.patienceMs;
    for (;;) {
      const waits = await this.unfinished();
      const findings = waits.length > 0 ? waits : await this.check();
      if (findings.length === 0 || performance.now() > deadline)
        return findings.length > 0 && waits.length > 0 ? [...waits, ...(await this.check())] : findings;
      await delay(200);
    }
  }

  /** A cheap query for unfinished work, before the complete check. */
  private async unfinished(): Promise<string[]> {
    const { rows } = await this.db.query<{
      hash: string | null;
      events: number;
      open: number;
      refunds: number;
    }>(
      `select (select hash from chain_cursors) as hash,
         (select count(*)::int from payment_events where dispatched_at is null) as events,
         (select count(*)::int from webhook_deliveries where state = 'pending') as open,
         (select count(*)::int from refunds where status = 'PROCESSING') as refunds`,
    );
    const [row] = rows;
    const tip = await this.harness.evm.chain.blockHash(await this.harness.evm.chain.blockNumber());
    return [
      ...(row?.hash === tip ? [] : [`the cursor is at ${row?.hash ?? 'no block'}, the chain at ${tip}`]),
      ...(row?.events ? [`${row.events} events wait to become deliveries`] : []),
      ...(row?.open ? [`${row.open} deliveries are not finished`] : []),
      ...(row?.refunds ? [`${row.refunds} refunds are not verified`] : []),
    ];
  }

  private async check(): Promise<string[]> {
    const { harness, merchant, load, db, inbox, fleet } = this;
    const { payees } = load;
    const records = await mapInBatches(chunks(payees), (some) => readRecords({ db }, merchant.api, some));
    const transfers = records.flatMap((book) => book.transfers);
    const payments = records.flatMap((book) => book.payments);
    const chain = await readEvmChain(harness, transfers);
    const holdings = (await mapInBatches(chunks(payees), (some) => evmHoldings(harness, some))).flat();
    const truth = {
      holdings: holdings.map((holding) => ({ ...holding, everDeep: holding.deep })),
      chains: new Map([['ethereum', chain]]),
    };
    const { events, deliveries } = await readOutbox(db);
    const { calls, stuck } = await readCalls(db, merchant);
    const made = await countMade(db);
    return [
      ...findDiscrepancies(payees, truth, { transfers, payments }),
      ...checkDeliveries(events, deliveries, inbox.arrivals),
      ...checkCalls(calls, stuck),
      ...(made === calls.length
        ? []
        : [`${calls.length} objects were requested, ${made} are in the database`]),
      ...inbox.forged.map((reason) => `a webhook has an invalid signature: ${reason}`),
      ...fleet.unexpectedExits,
    ];
  }

  private async count(): Promise<Tally> {
    const { merchant, load, inbox } = this;
    const { rows } = await this.db.query<{ transfers: number; events: number; epoch: number | null }>(
      `select (select count(*)::int from payment_transfers) as transfers,
         (select count(*)::int from payment_events) as events, (select sum(epoch)::int from chain_leases) as epoch`,
    );
    const [row] = rows;
    const { afterSuccess, afterFailure } = countRedeliveries(inbox.arrivals);
    return {
      payments: load.payees.length,
      refunds: load.counts.refunds,
      transfers: row?.transfers ?? 0,
      events: row?.events ?? 0,
      transactions: load.counts.transactions,
      forks: load.counts.forks,
      webhooks: inbox.arrivals.length,
      redeliveredAfterSuccess: afterSuccess,
      redeliveredAfterFailure: afterFailure,
      lostAnswers: merchant.counts.lost,
      refusedAnswers: merchant.counts.refused,
      replayedAnswers: merchant.counts.replayed,
      leasesEnded: this.leasesEnded,
      watchersTakenOver: Math.max(0, (row?.epoch ?? 0) - 1),
    };
  }
}

const CHUNK = 8;

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, i) =>
    items.slice(i * CHUNK, (i + 1) * CHUNK),
  );
}
