import { ChainLeaseRepository } from '../src/chain-watcher/chain-lease.repository.js';
import { ReconciliationScheduleRepository } from '../src/operations/reconciliation/reconciliation-schedule.repository.js';
import { newId } from '../src/platform/kernel/ids.pure.js';
import { WebhookHarness } from './support/webhook-harness.js';

/** A lease that nobody who may write one would write: it would stop its chain, webhook or run for centuries. */
const FAR = '2999-01-01T00:00:00Z';
const SECONDS = 6;

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await WebhookHarness.start();
});
afterAll(() => harness.stop());

describe('a lease that somebody wrote into the database', () => {
  it('does not stop a chain, and a real one is respected', async () => {
    const leases = harness.gateway.get(ChainLeaseRepository);
    expect(await leases.acquire('testchain', newId(new Date(0)), SECONDS)).toEqual({ epoch: 1 });
    expect(await leases.acquire('testchain', newId(new Date(1)), SECONDS)).toBeNull();
    await harness.sql.query('update chain_leases set expires_at = $1 where chain = $2', [FAR, 'testchain']);
    expect(await leases.acquire('testchain', newId(new Date(1)), SECONDS)).toEqual({ epoch: 2 });
  });

  it('does not stop the daily comparison, and a real one is respected', async () => {
    const schedule = harness.gateway.get(ReconciliationScheduleRepository);
    expect(await schedule.claim(newId(new Date(0)), SECONDS)).not.toBeNull();
    expect(await schedule.claim(newId(new Date(1)), SECONDS)).toBeNull();
    await harness.sql.query('update reconciliation_schedule set lease_until = $1', [FAR]);
    expect(await schedule.claim(newId(new Date(1)), SECONDS)).not.toBeNull();
  });

  it('does not silence a webhook', async () => {
    const merchant = await harness.addMerchant();
    merchant.server.plan({ status: 500 });
    await harness.addPaymentEvent(merchant);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(1);
    await harness.sql.query('update webhook_deliveries set lease_token = $1, lease_until = $2', [
      newId(new Date(0)),
      FAR,
    ]);
    harness.clock.advanceSeconds(3_600);
    await harness.drain();
    expect(merchant.server.requests).toHaveLength(2);
  });
});
