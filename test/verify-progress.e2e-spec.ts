/**
 * @inOrder Comparisons that go on where the last one ended.
 */
import { ReconciliationProgress } from '../src/operations/reconciliation/reconciliation-progress.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { NO_PROGRESS } from '../src/operations/reconciliation/verification-pass.pure.js';
import { ReconciliationHarness } from './support/reconciliation-harness.js';

/** Longer than a payment can be paid: what was compared then and has not changed is left out. */
const LATER_MS = 400 * 86_400_000;

describe('a comparison that goes on from the last one', () => {
  let harness: ReconciliationHarness;
  beforeAll(async () => {
    harness = await ReconciliationHarness.open();
  });
  afterEach(() => harness.proxy.setFaults({}));
  afterAll(() => harness.close());

  const progress = () => harness.shop.gateway.get(ReconciliationProgress);
  const run = (isFull = false, onProgress?: () => void) =>
    harness.shop.gateway
      .get(Reconciliation)
      .run({ limit: 100, budget: null, continues: { isFull }, ...(onProgress && { onProgress }) });
  const all = () => harness.made.size;
  /** As if the last complete run had been long after every payment. */
  const pretendComparedLongAfter = async (differing: string[] = []) => {
    const comparedAt = new Date(harness.shop.gateway.clock.now().getTime() + LATER_MS);
    await progress().write({
      ...NO_PROGRESS,
      comparedAt,
      fullAt: comparedAt,
      differing,
      chains: ['ethereum'],
    });
  };
  const planted = (name: string, look: () => Promise<void>) =>
    harness.withPlanted(
      ['update payments set received_amount = 123 where id = $1'],
      [harness.idOf(name)],
      look,
    );

  it('compares all payments the first time, and remembers when it began', async () => {
    const report = await run();
    expect(report).toMatchObject({
      scope: { since: null, resumedAt: null, fullAt: null },
      checked: { payments: all() },
      differenceCount: 0,
      notChecked: [],
    });
    expect(await progress().read()).toEqual({
      comparedAt: report.startedAt,
      fullAt: report.startedAt,
      pass: null,
      differing: [],
      chains: ['ethereum'],
    });
  });

  it('compares what could be paid since then the second time', async () => {
    const { fullAt } = await progress().read();
    expect(await run()).toMatchObject({
      scope: { since: expect.any(Date), fullAt },
      checked: { payments: all() },
    });
  });

  it('leaves out what is old and unchanged, but not transfers that wait for confirmations', async () => {
    await pretendComparedLongAfter();
    expect(await run()).toMatchObject({ checked: { payments: 1, transfers: 1 }, differenceCount: 0 });
  });

  it('finds a change of an old payment by a full run, and compares it again until it is repaired', async () => {
    await pretendComparedLongAfter();
    await planted('ether', async () => {
      expect(await run()).toMatchObject({ differenceCount: 0 });
      expect(await run(true)).toMatchObject({ scope: { since: null }, differenceCount: 1 });
      expect((await progress().read()).differing).toEqual([harness.idOf('ether')]);
      await pretendComparedLongAfter([harness.idOf('ether')]);
      expect(await run()).toMatchObject({ checked: { payments: 2 }, differenceCount: 1 });
    });
    expect(await run()).toMatchObject({ differenceCount: 0 });
    expect((await progress().read()).differing).toEqual([]);
  });

  it('continues an interrupted run where it stopped', async () => {
    const ids = [...harness.made.values()].map(({ id }) => id).toSorted();
    const startedAt = harness.shop.gateway.clock.now();
    const after = ids[3] ?? '';
    await progress().write({ ...NO_PROGRESS, pass: { startedAt, since: null, after }, chains: ['ethereum'] });
    expect(await run()).toMatchObject({
      scope: { since: null, resumedAt: startedAt },
      checked: { payments: all() - 4 },
    });
    expect(await progress().read()).toMatchObject({ comparedAt: startedAt, fullAt: startedAt, pass: null });
  });

  it('has remembered each batch when it is interrupted, with the differences in it', async () => {
    await progress().write(NO_PROGRESS);
    await planted('ether', async () => {
      const interrupt = () => {
        throw new Error('interrupted');
      };
      await expect(run(false, interrupt)).rejects.toThrow('interrupted');
      const { pass, differing } = await progress().read();
      expect(pass).toMatchObject({ since: null, after: expect.any(String) });
      expect(differing).toEqual([harness.idOf('ether')]);
      // Only what differed is compared again: nothing comes after it.
      expect(await run()).toMatchObject({ checked: { payments: 1 }, differenceCount: 1 });
    });
  });

  it('starts a full run anew after an interrupted one', async () => {
    const after = harness.idOf('open');
    const startedAt = new Date(0);
    await progress().write({ ...NO_PROGRESS, pass: { startedAt, since: null, after }, chains: ['ethereum'] });
    expect(await run(true)).toMatchObject({ scope: { resumedAt: null }, checked: { payments: all() } });
  });

  it('does not count as compared what a node did not tell', async () => {
    await pretendComparedLongAfter();
    const before = await progress().read();
    harness.proxy.setFaults({
      '*': () => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'node is down' } }),
    });
    expect(await run(true)).toMatchObject({ notChecked: [expect.stringContaining('ethereum: ')] });
    expect(await progress().read()).toEqual(before);
  });

  it('compares all payments when the remembered progress is not authentic', async () => {
    await pretendComparedLongAfter();
    await harness.shop.gateway.sql.query(
      `update reconciliation_progress set sealed_progress = 'v1.k1.x.x.x'`,
    );
    expect(await run()).toMatchObject({ scope: { since: null }, checked: { payments: all() } });
  });

  it('is not disturbed by the comparison of the operator API, which is always of all payments', async () => {
    await pretendComparedLongAfter();
    const before = await progress().read();
    const report = await harness.reconcile();
    expect(report).toMatchObject({ since: null, checked: { payments: all() } });
    expect(await progress().read()).toEqual(before);
  });

  it('says in its report which payments it compared', async () => {
    await pretendComparedLongAfter();
    const part = await harness.cli();
    expect(part.output).toMatch(
      /^Compared: payments that are new or may have changed since .+, all of them last on /,
    );
    const full = await harness.cli('--full');
    expect([full.code, full.output]).toEqual([0, expect.stringMatching(/^Compared: all payments\n/)]);
  });
});
