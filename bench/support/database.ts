import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/demo/embedded-postgres.js';
import { migrateTestDatabase } from '../../test/support/test-server.js';
import { atTheEnd } from './cleanup.js';
import { treeCpu } from './measure.js';

const TEMPLATE = 'bench_template';

/**
 * Only they have statistics: where a table was analysed while it was empty, Postgres plans for an empty one, until
 * autovacuum comes. In a new installation it does not.
 */
const FILLED_TABLES = `
  select coalesce(string_agg(oid::regclass::text, ', '), '') as tables from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`;

/** A server of its own that keeps every commit, as a gateway's does. */
export class BenchDatabase {
  private lastClone = 0;

  private constructor(
    private readonly adminUrl: string,
    private readonly pid: number,
  ) {}

  static async start(): Promise<BenchDatabase> {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'gateway-bench-pg-'));
    // As root the server runs as another user, who must pass through.
    await chmod(dataDir, 0o711);
    const postgres = await startEmbeddedPostgres({
      dataDir,
      durable: true,
      settings: { shared_buffers: '512MB', max_wal_size: '4GB', maintenance_work_mem: '512MB' },
    });
    atTheEnd(async () => {
      await postgres.stop();
      for (const folder of [postgres.clusterDir, dataDir]) await rm(folder, { recursive: true, force: true });
    });
    const database = new BenchDatabase(postgres.url, postgres.pid);
    await database.admin((client) => client.query(`create database ${TEMPLATE}`));
    await migrateTestDatabase(database.templateUrl);
    return database;
  }

  get templateUrl(): string {
    return this.urlOf(TEMPLATE);
  }

  /** Fills the database that every {@link clone} starts from. Foreign keys and triggers are off for speed. */
  async fill(work: (client: pg.Client) => Promise<void>): Promise<void> {
    await this.change(this.templateUrl, work);
  }

  /** As {@link fill}, for a copy. */
  async change(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    await this.connected(url, async (client) => {
      await client.query("set session_replication_role = 'replica'; set synchronous_commit = off");
      await work(client);
      await client.query('reset session_replication_role');
      const { rows } = await client.query<{ tables: string }>(FILLED_TABLES);
      await client.query(`vacuum analyze ${rows[0]?.tables}`);
      await client.query('checkpoint');
    });
  }

  /** A fresh copy of what was filled in. */
  async clone(): Promise<string> {
    const name = `bench_${++this.lastClone}`;
    await this.admin((client) => client.query(`create database ${name} template ${TEMPLATE}`));
    return this.urlOf(name);
  }

  /** An empty database, for a peer. */
  async empty(): Promise<string> {
    const name = `bench_${++this.lastClone}`;
    await this.admin((client) => client.query(`create database ${name}`));
    return this.urlOf(name);
  }

  async drop(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await this.admin((client) => client.query(`drop database ${name} with (force)`));
  }

  /** Microseconds of CPU of all of the server's processes so far. */
  cpu(): number {
    return treeCpu(this.pid);
  }

  private urlOf(name: string): string {
    const url = new URL(this.adminUrl);
    url.pathname = `/${name}`;
    return url.toString();
  }

  private admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.connected(this.adminUrl, work);
  }

  private async connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}
