import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SILENCE_MS } from '../../src/platform/database/database.js';
import type { ApiClient } from './api-client.js';
import type { DatabaseProxy } from './database-proxy.js';
import { type PostgresServer, withClient } from './postgres-server.js';
import { clientCredentials, TOKEN_PATH } from '../support/merchant-api.js';
import type { OrderLoad } from './order-load.js';

/** Everything that a fault may touch. */
export interface Scene {
  server: PostgresServer;
  proxy: DatabaseProxy;
  /** Where the tables lie; null where no disk of its own could be made. */
  disk: string | null;
  /** The gateway's database, past the proxy. */
  adminUrl: () => string;
  /** Address of the API. */
  api: string;
  client: ApiClient;
  load: OrderLoad;
  merchant: { clientId: string; secret: string };
}

/** One way in which a database fails. */
export interface Fault {
  name: string;
  isPossible?: (scene: Scene) => boolean;
  /** @returns what fired, and how often: each must have */
  inject(scene: Scene, rounds: number): Promise<Record<string, number>>;
}

/** Against hanging alone. */
const LIMIT_MS = 180_000;
const BLOCK = Buffer.alloc(2 ** 16);

async function isReady(scene: Scene): Promise<boolean> {
  const answer = await fetch(`${scene.api}/api/health/ready`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok ?? false;
}

async function untilReady(scene: Scene): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isReady(scene))) {
    if (performance.now() > deadline) throw new Error(`not ready again within ${LIMIT_MS} ms`);
    await delay(50);
  }
}

async function countOf({ server }: Scene, state: string): Promise<number> {
  return (await server.sqlStates()).get(state) ?? 0;
}

/** Waits for something to happen under load; what never happens is counted as never fired. */
async function underLoad(hasFired: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline && !(await hasFired())) await delay(100);
}

/** The load goes on: one more order was made. */
async function anotherOrder({ load }: Scene): Promise<void> {
  const { length } = load.orders;
  await underLoad(async () => load.orders.length > length);
}

async function terminateAll(scene: Scene): Promise<number> {
  return withClient(scene.adminUrl(), async (admin) => {
    const { rowCount } = await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return rowCount ?? 0;
  });
}

const crash: Fault = {
  name: 'pg_ctl stop -m immediate, and a start, under load',
  async inject(scene, rounds) {
    let unready = 0;
    for (let round = 0; round < 3 * rounds; round++) {
      await scene.server.crash();
      // In the middle a token is asked for, too: the authorization server has answers of its own.
      await scene.client.once(TOKEN_PATH, { body: clientCredentials(scene.merchant) });
      if (!(await isReady(scene))) unready++;
      await scene.server.startAgain();
      await untilReady(scene);
      await anotherOrder(scene);
    }
    return { crashes: 3 * rounds, 'times not ready meanwhile': unready };
  },
};

const terminate: Fault = {
  name: 'pg_terminate_backend for every connection',
  async inject(scene, rounds) {
    let terminated = 0;
    for (let round = 0; round < 8 * rounds; round++) {
      terminated += await terminateAll(scene);
      await anotherOrder(scene);
    }
    return { 'backends terminated': terminated };
  },
};

const reset: Fault = {
  name: 'connections reset in the middle of anything',
  async inject(scene, rounds) {
    let broken = 0;
    for (let round = 0; round < 8 * rounds; round++) {
      broken += scene.proxy.reset();
      await anotherOrder(scene);
    }
    return { 'connections reset': broken };
  },
};

const stillborn: Fault = {
  name: 'connections terminated in the moment in which they are made',
  async inject(scene, rounds) {
    const count = 20 * rounds;
    scene.proxy.terminateNew = count;
    await underLoad(async () => {
      scene.proxy.reset();
      return scene.proxy.terminateNew === 0;
    });
    const terminated = count - scene.proxy.terminateNew;
    scene.proxy.terminateNew = 0;
    return { 'connections terminated': terminated };
  },
};

const commits: Fault = {
  name: 'connections cut around COMMIT, before and after it took effect',
  async inject(scene, rounds) {
    const { cut } = scene.proxy;
    const before = { ...cut };
    scene.proxy.cutEvery(3);
    await underLoad(async () => cut['lose-answer'] - before['lose-answer'] >= 25 * rounds);
    scene.proxy.cutEvery(0);
    return {
      'COMMITs whose answer was lost': cut['lose-answer'] - before['lose-answer'],
      'COMMITs that never arrived': cut['never-sent'] - before['never-sent'],
    };
  },
};

const deadlock: Fault = {
  name: 'deadlocks (40P01) on a payment and the wallet that gives its address',
  async inject(scene, rounds) {
    const before = await countOf(scene, '40P01');
    let answered = 0;
    for (let round = 0; round < 5 * rounds; round++) {
      await withClient(scene.adminUrl(), async (locker) => {
        // Who waits longest looks for a deadlock first, and gives way: never the locker.
        await locker.query(`set deadlock_timeout = '60s'`);
        const payment = await scene.load.orderWithoutAddress();
        await locker.query('begin');
        await locker.query('select from payments where id = $1 for update', [payment.id]);
        const instructions = scene.client.api.instructions(payment, 'eth');
        await untilBlocked(scene);
        await locker.query('select from wallets for update');
        await locker.query('commit');
        await instructions;
        answered++;
      });
    }
    return {
      'deadlocks that the gateway lost': (await countOf(scene, '40P01')) - before,
      'requests in them that were answered': answered,
    };
  },
};

/** Waits until a session that holds a wallet waits, and no other one is first. */
async function untilBlocked(scene: Scene): Promise<void> {
  await withClient(scene.adminUrl(), async (admin) => {
    await underLoad(async () => {
      const { rows } = await admin.query(
        `select 1 from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database() and a.query ~ 'deposit_addresses'`,
      );
      return rows.length > 0;
    });
  });
}

const serialization: Fault = {
  name: 'serialization failures (40001): a server that is set to repeatable read',
  async inject(scene, rounds) {
    const before = await countOf(scene, '40001');
    const set = async (level: string) => {
      await withClient(scene.adminUrl(), (admin) =>
        admin.query(`alter database gateway_faults set default_transaction_isolation = '${level}'`),
      );
      await terminateAll(scene);
    };
    await set('repeatable read');
    await underLoad(async () => (await countOf(scene, '40001')) - before >= 10 * rounds);
    await set('read committed');
    return { 'serialization failures': (await countOf(scene, '40001')) - before };
  },
};

const exhaustion: Fault = {
  name: 'a lock that holds every connection that a merchant can have',
  async inject(scene, rounds) {
    const refused = () => scene.client.counts.get(503) ?? 0;
    const before = refused();
    let answers = 0;
    for (let round = 0; round < rounds; round++) {
      await withClient(scene.adminUrl(), async (locker) => {
        await locker.query('begin');
        await locker.query('lock table payments in access exclusive mode');
        const held = refused();
        await underLoad(async () => {
          // Ready or not: background work may hold the connections that no merchant can have.
          await isReady(scene);
          answers++;
          return refused() > held;
        });
        await locker.query('rollback');
      });
      await untilReady(scene);
    }
    return { 'readiness checks meanwhile': answers, 'requests that gave up': refused() - before };
  },
};

const silence: Fault = {
  name: 'connections that swallow everything and never end',
  async inject(scene, rounds) {
    let swallowed = 0;
    for (let round = 0; round < rounds; round++) {
      swallowed += scene.proxy.connections;
      scene.proxy.swallow();
      scene.proxy.passAgain();
      // Idle connections come to light when they are used, and all of them after this.
      await delay(SILENCE_MS + 1_000);
      await untilReady(scene);
      scene.proxy.endSwallowed();
    }
    return { 'connections swallowed': swallowed };
  },
};

const diskFull: Fault = {
  name: 'a full disk (53100)',
  isPossible: ({ disk }) => disk !== null,
  async inject(scene, rounds) {
    const before = await countOf(scene, '53100');
    const order = await scene.load.orderWithoutAddress();
    let reads = 0;
    let unready = 0;
    for (let round = 0; round < rounds; round++) {
      const ballast = path.join(scene.disk ?? '', 'ballast');
      await fill(ballast);
      // The API notices with its own first refused write: pages that are half empty take some writes before. The
      // customers of the load may stop writing, because the watcher that cannot write pauses its chain.
      let isFull = true;
      const creations = repeatWhile(
        () => isFull,
        () => scene.load.orderWithoutAddress(),
      );
      try {
        await underLoad(async () => {
          if ((await countOf(scene, '53100')) === before || (await isReady(scene))) return false;
          unready++;
          return true;
        });
        // What only reads goes on.
        const { token } = scene.client.api;
        const answer = await scene.client.once(`/api/payment/${order.id}`, { token });
        if (answer.status === 200) reads++;
      } finally {
        await rm(ballast);
        isFull = false;
      }
      await creations;
      await untilReady(scene);
    }
    return {
      'writes that found no room': (await countOf(scene, '53100')) - before,
      'reads meanwhile': reads,
      'times not ready meanwhile': unready,
    };
  },
};

async function repeatWhile(isWanted: () => boolean, work: () => Promise<unknown>): Promise<void> {
  while (isWanted()) await work();
}

/** Until nothing more fits. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let size = BLOCK.length; size >= 1;) {
      try {
        await handle.appendFile(BLOCK.subarray(0, size));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        size = Math.floor(size / 2);
      }
    }
  } finally {
    await handle.close();
  }
}

/** In this order; the last ones are the longest. */
export const FAULTS: readonly Fault[] = [
  crash,
  terminate,
  reset,
  stillborn,
  commits,
  deadlock,
  serialization,
  diskFull,
  exhaustion,
  silence,
];
