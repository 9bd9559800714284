import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ReconciliationProgress } from '../src/operations/reconciliation/reconciliation-progress.service.js';
import { ReconciliationScheduleRepository } from '../src/operations/reconciliation/reconciliation-schedule.repository.js';
import { ReconciliationScheduleService } from '../src/operations/reconciliation/reconciliation-schedule.service.js';
import type { ReconciliationScheduleContract } from '../src/operations/reconciliation/reconciliation.contract.js';
import type { Report } from '../src/operations/reconciliation/reconciliation-report.pure.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { ScheduledReconciliation } from '../src/operations/reconciliation/scheduled-reconciliation.service.js';
import { NO_PROGRESS } from '../src/operations/reconciliation/verification-pass.pure.js';
import { ReconciliationHarness } from './support/reconciliation-harness.js';

const DAY_SECONDS = 86_400;
const MINUTES = 60;

describe('the scheduled verification', () => {
  let harness: ReconciliationHarness;
  let logged: unknown[];
  beforeAll(async () => {
    harness = await ReconciliationHarness.open();
  });
  beforeEach(() => {
    logged = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((fields: unknown, text?: unknown) => {
      if (['records differ', 'verification is incomplete'].includes(String(text))) logged.push(fields);
    });
  });
  afterEach(() => {
    harness.proxy.setFaults({});
    jest.restoreAllMocks();
  });
  afterAll(() => harness.close());

  const gateway = () => harness.shop.gateway;
  const runOnce = () => gateway().get(ScheduledReconciliation).runOnce();
  const progress = () => gateway().get(ReconciliationProgress);
  const advance = (seconds: number) => gateway().clock.advanceSeconds(seconds);
  const now = () => gateway().clock.now();
  const all = () => harness.made.size;
  /** By the service, because tokens of people end while days pass. */
  const schedule = () => gateway().get(ReconciliationScheduleService).get();
  /** Payments that the runs meanwhile have compared. */
  async function comparedBy(work: () => Promise<unknown>): Promise<number[]> {
    const run = jest.spyOn(gateway().get(Reconciliation), 'run');
    await work();
    const reports = await Promise.all(run.mock.results.map(({ value }) => value as Promise<Report>));
    run.mockRestore();
    return reports.map(({ checked }) => checked.payments);
  }
  const planted = (look: () => Promise<void>) =>
    harness.withPlanted(
      ['update payments set received_amount = 123 where id = $1'],
      [harness.idOf('ether')],
      look,
    );

  it('compares all payments at first, then nothing until the interval has passed', async () => {
    const path = '/api/admin/reconciliation/schedule';
    const before = await harness.shop.call<ReconciliationScheduleContract>(
      'GET',
      path,
      harness.operatorToken,
    );
    expect(before.body.data).toEqual({
      intervalSeconds: DAY_SECONDS,
      startedAt: null,
      compared: 0,
      fullRequested: false,
      comparedAt: null,
      fullAt: null,
      finishedAt: null,
      differenceCount: null,
      notCheckedCount: null,
    });
    expect(await comparedBy(runOnce)).toEqual([all()]);
    expect(await schedule()).toMatchObject({
      startedAt: null,
      compared: 0,
      comparedAt: expect.any(String),
      fullAt: expect.any(String),
      finishedAt: expect.any(String),
      differenceCount: 0,
      notCheckedCount: 0,
    });
    advance(DAY_SECONDS - 1);
    expect(await comparedBy(runOnce)).toEqual([]);
    advance(1);
    expect(await comparedBy(runOnce)).toHaveLength(1);
    expect(logged).toEqual([]);
  });

  it('goes on with a run in parts where the last part ended, and compares at the end what differed in another', async () => {
    const ids = [...harness.made.values()].map(({ id }) => id).toSorted();
    const after = ids[3] ?? '';
    const [startedAt, differing] = [now(), ids.slice(0, 1)];
    const pass = { startedAt, since: null, after };
    await progress().write({ ...NO_PROGRESS, pass, differing, chains: ['ethereum'] });
    expect(await comparedBy(runOnce)).toEqual([all() - 4 + 1]);
    expect(await progress().read()).toMatchObject({ pass: null, fullAt: startedAt, differing: [] });
  });

  it('stops after a part whose time is over, with nothing stored but how far it came', async () => {
    await progress().write(NO_PROGRESS);
    const finishedAt = (await schedule()).finishedAt;
    const continues = { isFull: false, isPart: true };
    const part = await gateway().get(Reconciliation).run({ limit: 10, budget: 0, continues });
    expect(part).toMatchObject({ isStopped: true, notChecked: [], checked: { payments: all() } });
    expect((await progress().read()).pass).toMatchObject({ since: null, after: expect.any(String) });
    expect((await schedule()).finishedAt).toBe(finishedAt);
    expect(await comparedBy(runOnce)).toEqual([0]);
    expect((await progress().read()).pass).toBeNull();
  });

  it('is made by one process at a time, and by another one when that has died', async () => {
    await progress().write(NO_PROGRESS);
    const leases = gateway().get(ReconciliationScheduleRepository);
    const died = '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d';
    expect(await leases.claim(died, 60)).toEqual({ fullRequestedAt: null });
    expect(await comparedBy(runOnce)).toEqual([]);
    await gateway().sql.query(`update reconciliation_schedule set lease_until = now() - interval '1 second'`);
    expect(await comparedBy(runOnce)).toEqual([all()]);
  });

  it('logs a difference once, and again after it had gone', async () => {
    const again = async () => {
      advance(DAY_SECONDS);
      await gateway().get(ReconciliationScheduleService).start();
      await runOnce();
      return logged.splice(0).length;
    };
    await planted(async () => {
      expect(await again()).toBeGreaterThan(0);
      expect((await schedule()).differenceCount).toBeGreaterThan(0);
      expect(await again()).toBe(0);
    });
    expect(await again()).toBe(0);
    expect((await schedule()).differenceCount).toBe(0);
    await planted(async () => {
      expect(await again()).toBeGreaterThan(0);
    });
    expect(await again()).toBe(0);
  });

  it('begins anew with all payments when an operator asks for it, also in the middle of a run', async () => {
    const after = [...harness.made.values()].map(({ id }) => id).toSorted()[3] ?? '';
    const pass = { startedAt: now(), since: null, after };
    await progress().write({ ...NO_PROGRESS, pass, chains: ['ethereum'] });
    expect(await gateway().get(ReconciliationScheduleService).start()).toMatchObject({ fullRequested: true });
    expect(await comparedBy(runOnce)).toEqual([all()]);
    expect(await schedule()).toMatchObject({ fullRequested: false });
    expect(await comparedBy(runOnce)).toEqual([]);
  });

  it('says once that a node does not respond, and tries again after five minutes', async () => {
    advance(DAY_SECONDS);
    const { comparedAt } = await progress().read();
    harness.proxy.setFaults({
      '*': () => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'node is down' } }),
    });
    await runOnce();
    advance(5 * MINUTES);
    await runOnce();
    expect(logged).toEqual([{ reason: expect.stringContaining('ethereum') }]);
    expect((await progress().read()).comparedAt).toEqual(comparedAt);
    harness.proxy.setFaults({});
    expect(await comparedBy(runOnce)).toEqual([]);
    advance(5 * MINUTES);
    expect(await comparedBy(runOnce)).toHaveLength(1);
    expect((await schedule()).notCheckedCount).toBe(0);
  });
});
