import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AuditLog } from '../src/platform/integrity/audit-log.service.js';
import { AuditVerification } from '../src/platform/integrity/audit-verification.service.js';
import { AuditWatch } from '../src/platform/integrity/audit-watch.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { Meters } from '../src/platform/kernel/meters.js';
import {
  CUT_END,
  KEEP_END,
  manipulate,
  MANIPULATIONS,
  REPLAY,
  whileManipulated,
} from './support/audit-manipulations.js';
import { runCommand } from './support/audit-harness.js';
import { Stage } from './support/forgery-stage.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';
const HOLDS = { code: 0, errors: '' };
const MISSING = /rows \d+ to \d+ are missing at the end/;

let gateway: TestGateway;
let stage: Stage;

async function open(): Promise<void> {
  gateway = await startTestGateway({ METRICS_TOKEN });
  stage = await Stage.open(gateway);
  await act(5);
}

/** Actions that the audit log records, one entry each. */
async function act(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await stage.clientToken();
}

const verify = (...options: string[]) =>
  runCommand({ gateway }, ['verify:audit', ...options], gateway.environment['APP_KEYS']);
const tamper = (sql: string) => manipulate(gateway.databaseUrl, sql);
const watch = () => gateway.get(AuditWatch).runOnce();

/** How often this process found the log changed. */
async function found(): Promise<number | undefined> {
  const { values } = await gateway.get(Meters).unauthentic.get();
  return values.find(({ labels }) => labels.table === 'audit_log')?.value;
}

describe('verify:audit, after a writer of the database without APP_KEYS', () => {
  beforeAll(open);
  afterAll(() => gateway.close());

  it('has nothing to say before', async () => {
    expect(await verify()).toMatchObject(HOLDS);
  });

  it.each(MANIPULATIONS.map((each) => [each.what, each] as const))('finds %s', async (_what, each) => {
    await whileManipulated(gateway.databaseUrl, each.sql, async () => {
      const { code, errors } = await verify();
      expect(errors).toMatch(each.problem);
      expect(code).toBe(1);
    });
  });

  it('has nothing to say after everything was put back', async () => {
    expect(await verify()).toMatchObject(HOLDS);
  });
});

describe('the end of the audit log', () => {
  beforeEach(open);
  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway.close();
  });

  /** Heads as this process logs them. */
  function listenToLog(): string[] {
    const heads: string[] = [];
    jest.spyOn(Logger.prototype, 'log').mockImplementation((fields: unknown, message?: unknown) => {
      if (message === 'audit log head') heads.push((fields as { head: string }).head);
    });
    return heads;
  }

  async function scrape(name: string): Promise<number> {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${gateway.baseUrl}/metrics`, { headers })).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  it('is logged once it is committed, and never when it is not', async () => {
    const heads = listenToLog();
    await act(2);
    const { head } = await gateway.get(AuditVerification).run();
    const sequence = heads.map((text) => BigInt(text.split(':')[0] ?? ''));
    expect(sequence).toEqual([head.seq - 1n, head.seq]);
    expect(heads.at(-1)).toBe(`${head.seq}:${head.hash.toString('hex')}`);
    const record = () => gateway.get(AuditLog).record({ act: 'endpoint.paused', userId: null, target: null });
    const sql = gateway.get(Sql);
    const fail = async () => {
      await record();
      throw new Error('rolled back');
    };
    await expect(sql.transaction(fail)).rejects.toThrow('rolled back');
    // The transaction around it commits.
    await sql.transaction(async () => {
      await expect(sql.transaction(fail)).rejects.toThrow('rolled back');
    });
    expect(heads).toHaveLength(2);
    await watch();
    expect(await verify()).toMatchObject(HOLDS);
  });

  it('of another process is logged within a minute, once', async () => {
    const other = await gateway.another();
    const heads = listenToLog();
    await other.get(AuditWatch).runOnce();
    expect(heads).toHaveLength(1);
    await other.get(AuditWatch).runOnce();
    expect(heads).toHaveLength(1);
    await other.close();
  });

  it('is put back to an earlier one with all its records: a head from log or metrics finds it', async () => {
    const heads = listenToLog();
    await tamper(KEEP_END);
    await act(3);
    const head = heads.at(-1) ?? '';
    const fromMetrics = [await scrape('gateway_audit_log_rows'), await scrape('gateway_audit_log_head')];
    const short = `${fromMetrics[0]}:${(fromMetrics[1] ?? 0).toString(16).padStart(12, '0')}`;
    expect(head.startsWith(short)).toBe(true);
    for (const kept of [head, short]) expect(await verify('--head', kept)).toMatchObject(HOLDS);

    await tamper(REPLAY);
    // Nothing in the database says otherwise.
    expect(await verify()).toMatchObject(HOLDS);
    for (const kept of [head, short]) {
      const { code, errors } = await verify('--head', kept);
      expect([code, errors]).toEqual([1, expect.stringMatching(MISSING)]);
    }
    // Other entries in the place of those that are gone.
    await gateway.close();
    gateway = stage.gateway = await gateway.restart();
    await act(3);
    expect(await verify()).toMatchObject(HOLDS);
    for (const kept of [head, short])
      expect((await verify('--head', kept)).errors).toMatch(/row \d+ was replaced by another one/);
  });

  it.each([0, 1, 5])(
    'is put back to an earlier one, and %d actions follow: a running process notices, and says so in the log',
    async (later) => {
      await tamper(KEEP_END);
      await act(3);
      await tamper(REPLAY);
      expect(await found()).toBe(0);
      await act(later);
      await watch();
      expect(await found()).toBe(1);
      const { code, errors } = await verify();
      expect([code, errors]).toEqual([1, expect.stringMatching(/missing at the end|was replaced/)]);
      // Said once.
      await watch();
      expect(await found()).toBe(1);
    },
  );

  it('is put back to an earlier one, and another process continues: one that saw the later end notices', async () => {
    const other = await gateway.another();
    await tamper(KEEP_END);
    await act(3);
    await tamper(REPLAY);
    for (let i = 0; i < 5; i++)
      await other.get(AuditLog).record({ act: 'endpoint.paused', userId: null, target: null });
    await other.close();
    expect((await verify()).code).toBe(0);
    await act();
    expect((await verify()).errors).toMatch(/before row \d+ .* was replaced by another one/);
  });

  it.each([
    ['is cut off', CUT_END, MISSING],
    ['loses its keyed record', 'delete from audit_anchor', /audit_anchor has no row/],
    [
      'gets a record of the writer, which would let entries without MACs follow',
      `update audit_anchor set resumed_seq = seq`,
      /audit_anchor is not as a key/,
    ],
    [
      'gets an entry of the writer',
      `set local session_replication_role = origin;
       insert into audit_log (at, actor_kind, act, details) values (now(), 'system', 'user.enabled', '{}')`,
      /row \d+ was not written by the gateway/,
    ],
  ])('%s: what is appended later does not hide it', async (_what, sql, problem) => {
    await tamper(sql);
    await act(4);
    expect(await found()).toBe(1);
    const { code, errors } = await verify();
    expect([code, errors]).toEqual([1, expect.stringMatching(/^the audit log is broken: before row \d+ /)]);
    expect(errors).toMatch(problem);
    const [, seq = ''] = /before row (\d+)/.exec(errors) ?? [];

    // Somebody has looked into it.
    expect(await verify('--investigated', seq)).toMatchObject(HOLDS);
    expect((await verify('--investigated', String(Number(seq) - 1))).code).toBe(1);
    await tamper(`set local session_replication_role = origin;
      insert into audit_log (at, actor_kind, act, details) values (now(), 'system', 'user.enabled', '{}')`);
    expect((await verify('--investigated', seq)).errors).toMatch(/was not written by the gateway/);
  });

  it('keeps one order among processes that append at the same time', async () => {
    const others = await Promise.all([gateway.another(), gateway.another()]);
    const logs = [gateway, ...others].map((each) => each.get(AuditLog));
    const before = (await gateway.get(AuditVerification).run()).rows;
    const records = Array.from({ length: 20 }, (_, i) =>
      logs.map((log) => log.record({ act: 'endpoint.paused', userId: null, target: null, details: { i } })),
    );
    await Promise.all(records.flat());
    expect(await gateway.get(AuditVerification).run()).toMatchObject({ rows: before + 60n, problem: null });
    for (const other of others) await other.close();
  });
});
