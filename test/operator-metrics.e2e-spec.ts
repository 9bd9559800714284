import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { createOwner } from './support/principals.js';
import { readQuery } from './support/promql.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open({ METRICS_TOKEN, WEBHOOK_RETRY_SCHEDULE: '0,60' });
  application = await shop.application();
});
afterAll(() => shop.close());

type Series = { name: string; labels: Record<string, string>; value: number };

async function scrape(): Promise<Series[]> {
  const answer = await fetch(`${shop.gateway.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, label = '', text = '']) => [
      label,
      text,
    ]);
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

/** The sum of the series that have these labels; null where there is none. */
async function metric(name: string, labels: Record<string, string> = {}): Promise<number | null> {
  const found = (await scrape()).filter(
    (series) =>
      series.name === name &&
      Object.entries(labels).every(([label, value]) => series.labels[label] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}

async function pay(): Promise<{ id: string; checkoutUrl: string }> {
  const payment = await shop.createPayment(application);
  await shop.send(await shop.instructions(payment));
  await shop.mine(CONFIRMATIONS);
  return payment;
}

describe('the metrics', () => {
  it('measure the durations of blocks, deliveries and requests', async () => {
    const detected = () => metric('gateway_chain_detection_seconds_count', { chain: 'ethereum' });
    const before = (await detected()) ?? 0;
    await pay();
    expect(await detected()).toBeGreaterThan(before);
    // payment.received and payment.completed, at once by the gateway's clock.
    expect(await metric('gateway_webhook_attempts_total', { outcome: 'succeeded' })).toBe(2);
    expect(await metric('gateway_webhook_delivery_seconds_bucket', { le: '0.1' })).toBe(2);
    const created = { method: 'POST', route: '/api/payment/checkout', status: '2xx' };
    expect(await metric('gateway_http_request_duration_seconds_count', created)).toBe(1);
    expect(await metric('gateway_http_request_duration_seconds_bucket', { ...created, le: '+Inf' })).toBe(1);
  });

  it('count failed attempts, how long merchants wait, and exhausted deliveries', async () => {
    shop.merchant.always({ status: 500 });
    await pay();
    expect(await metric('gateway_webhook_attempts_total', { outcome: 'failed' })).toBe(1);
    expect(await metric('gateway_webhook_deliveries_pending')).toBe(1);
    await shop.wait(3_600);
    expect(await metric('gateway_oldest_undelivered_event_age_seconds')).toBe(3_600);
    await shop.settle();
    expect(await metric('gateway_webhook_attempts_total', { outcome: 'exhausted' })).toBe(1);
    expect(await metric('gateway_webhook_deliveries_exhausted')).toBe(1);
    expect(await metric('gateway_webhook_deliveries_pending')).toBe(0);
    expect(await metric('gateway_oldest_undelivered_event_age_seconds')).toBe(0);

    shop.merchant.always({ status: 410 });
    await pay();
    expect(await metric('gateway_webhook_attempts_total', { outcome: 'gone' })).toBe(1);
    expect(await metric('gateway_webhook_endpoints_paused')).toBe(1);
    shop.merchant.always({ status: 200 });
  });

  it('count events that have no delivery yet', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.chain.mine(CONFIRMATIONS);
    await shop.watch();
    expect(await metric('gateway_outbox_events')).toBe(1);
    await shop.settle();
    expect(await metric('gateway_outbox_events')).toBe(0);
  });

  it('count statements that the database refused', async () => {
    expect(await metric('gateway_database_guard_refusals_total')).toBe(0);
    const sql = shop.gateway.get(Sql);
    await expect(sql.query(`update payments set status = 'PAID'`)).rejects.toThrow('status_seq must grow');
    await expect(sql.transaction((tx) => tx.query('delete from payments'))).rejects.toThrow(
      'permission denied',
    );
    await expect(sql.unitOfWork((tx) => tx.query('delete from audit_log'))).rejects.toThrow(
      'permission denied',
    );
    await expect(sql.query('select 1/0')).rejects.toThrow('division by zero');
    expect(await metric('gateway_database_guard_refusals_total')).toBe(3);
  });

  it('report the result of the last verify', async () => {
    expect(await metric('gateway_reconciliation_differences')).toBeNull();
    const operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    const verify = () => shop.call('GET', '/api/admin/reconciliation', operator.accessToken);
    expect((await verify()).body.data).toMatchObject({ consistent: true });
    shop.gateway.clock.advanceSeconds(60);
    expect(await metric('gateway_reconciliation_differences')).toBe(0);
    expect(await metric('gateway_reconciliation_age_seconds')).toBe(60);
    // Behind the gateway's back, and back again.
    const { sql } = shop.gateway;
    const change = (by: number) =>
      sql.query('update payments set received_amount = received_amount + $1 where received_amount > 0', [by]);
    await change(1);
    await verify();
    await change(-1);
    expect(await metric('gateway_reconciliation_differences')).toBeGreaterThan(0);
    await verify();
    expect(await metric('gateway_reconciliation_differences')).toBe(0);
  });

  it('label routes by their pattern, whatever the path', async () => {
    const before = (await scrape()).length;
    for (let i = 0; i < 20; i++) {
      await shop.call('GET', `/api/payment/${crypto.randomUUID()}`, application.clientToken);
      await shop.call('GET', `/nothing/${i}`, null);
    }
    await fetch(`${shop.gateway.baseUrl}/api/rates?secret=s3cret`, { method: 'PATCH' });
    const after = await scrape();
    // Of the series before, two routes and one method more, each with its buckets.
    expect(after.length - before).toBeLessThan(40);
    const text = JSON.stringify(after);
    for (const secret of ['s3cret', 'PATCH', METRICS_TOKEN]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('are read once for concurrent scrapes', async () => {
    const texts = await Promise.all([1, 2, 3].map(() => scrape()));
    expect(texts.every((series) => series.length > 50)).toBe(true);
  });
});

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
interface Panel {
  id: number;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const { groups } = parse(read('ops/prometheus/alerts.yml')) as { groups: { rules: AlertRule[] }[] };
const RULES = groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(read('ops/grafana/gateway.json')) as { panels: Panel[] };
const TARGETS = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
const METRICS_PAGE = read('docs/how-to/metrics.md');
/** What Prometheus itself adds. */
const OF_PROMETHEUS = { up: ['job'], every: ['instance', 'job'] };

/** Asks for nothing that a gateway does not answer; labels of the answer are among `named`. */
function check(expression: string, named: string[], series: readonly Series[]): string[] {
  const { selectors, groupings } = readQuery(expression);
  const problems: string[] = [];
  const labels = new Set<string>();
  for (const { name, labels: wanted } of selectors) {
    if (name === 'up') continue;
    const known = series.filter((each) => each.name === name);
    if (known.length === 0) problems.push(`${name} is no metric of the gateway`);
    for (const each of known) for (const label of Object.keys(each.labels)) labels.add(label);
    for (const [label, pattern] of Object.entries(wanted))
      for (const value of pattern.split('|'))
        // A status that no test provoked is none the less one.
        if (!known.some((each) => each.labels[label] === value) && value !== '5xx')
          problems.push(`${name} has no ${label}="${value}"`);
  }
  const known = [...labels, ...OF_PROMETHEUS.every];
  for (const label of groupings) if (!known.includes(label)) problems.push(`no label ${label}`);
  // By-lists say which labels are left; without one, those of the series.
  const left = groupings.length > 0 ? groupings : known;
  for (const label of named) if (!left.includes(label)) problems.push(`the answer has no label ${label}`);
  return problems.map((problem) => `${problem}: ${expression}`);
}

const namedIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, label = '']) => label);

describe('the files of ops/', () => {
  it('alert on metrics that exist', async () => {
    const series = await scrape();
    expect(RULES.length).toBeGreaterThan(20);
    expect(
      RULES.flatMap(({ expr, annotations }) =>
        check(expr, namedIn(annotations.summary, /\$labels\.(\w+)/g), series),
      ),
    ).toEqual([]);
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
  });

  it('show every metric, and only metrics that exist', async () => {
    const series = await scrape();
    expect(TARGETS.length).toBeGreaterThan(30);
    expect(
      TARGETS.flatMap(({ expr, legendFormat }) =>
        check(expr, namedIn(legendFormat, /\{\{(\w+)\}\}/g), series),
      ),
    ).toEqual([]);
    const shown = TARGETS.flatMap(({ expr }) => readQuery(expr).selectors.map(({ name }) => familyOf(name)));
    const all = new Set(series.map(({ name }) => familyOf(name)));
    expect([...all].filter((name) => !shown.includes(name))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('link to existing instructions', () => {
    const sections = namedIn(METRICS_PAGE, /^#### (\w+)$/gm);
    expect(RULES.map(({ alert }) => alert).filter((alert) => !sections.includes(alert))).toEqual([]);
    expect(sections.filter((name) => !RULES.some(({ alert }) => alert === name))).toEqual([]);
    for (const { alert, labels, annotations } of RULES) {
      expect(annotations.runbook_url).toBe(`docs/how-to/metrics.md#${alert.toLowerCase()}`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  it('and the documentation describe every metric', async () => {
    const all = new Set((await scrape()).map(({ name }) => familyOf(name)));
    expect([...all].filter((name) => !METRICS_PAGE.includes(`\`${name}`))).toEqual([]);
  });
});

function familyOf(name: string): string {
  return name.replace(/_seconds_(bucket|sum|count)$/, '_seconds');
}
