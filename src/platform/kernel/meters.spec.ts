import { Meters } from './meters.js';

it('Meters export every outcome of webhook attempts from the start, at 0', async () => {
  expect(await new Meters().registry.metrics()).toContain('gateway_webhook_attempts_total{outcome="gone"} 0');
});

it('Meters of two gateways in one process count apart', async () => {
  const [one, other] = [new Meters(), new Meters()];
  one.refusals.inc();
  expect(await one.registry.metrics()).toContain('gateway_database_guard_refusals_total 1');
  expect(await other.registry.metrics()).toContain('gateway_database_guard_refusals_total 0');
});
