import { createHash } from 'node:crypto';
import { ApiStage } from './support/api-stage.js';
import type { Call } from './support/api-server.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { fillGrown } from './support/grown-payments.js';
import { median, type Sample } from './support/measure.js';

const SMALL = 10_000;
const METRICS_TOKEN = 'a-token-of-the-benchmark-for-metrics';
const PER_PAGE = 20;

/** The same requests on a small history and on a large one: what costs more there grows with the history. */
export const grow: Benchmark = { name: 'grow', run: measure };

interface Grown {
  stage: ApiStage;
  /** Payments of all merchants. */
  count: number;
  /** Payments of the merchant who asks. */
  own: number;
  /** A payment of the gateway itself. */
  created: string;
}

/** Of one request. */
interface Cost {
  /** Milliseconds of CPU. */
  gateway: number;
  postgres: number;
  /** Milliseconds until the response. */
  p50: number;
}

async function measure(options: Options): Promise<Record<string, unknown>> {
  const large = Number(process.env['GROW_PAYMENTS'] ?? scaled(1_000_000, options, 2_000));
  const requests = scaled(100, options, 3);
  const histories = [await open(Math.min(SMALL, large / 2)), await open(large)] as const;
  const names = Object.keys(operations(histories[0]));
  const table: Record<string, [Cost, Cost]> = {};
  for (const name of names) {
    const [small, big] = [
      await costsOf(histories[0], name, options, requests),
      await costsOf(histories[1], name, options, requests),
    ];
    table[name] = [small, big];
  }
  print(table, histories);
  return { payments: histories.map(({ count }) => count), requests, table };
}

async function open(count: number): Promise<Grown> {
  const stage = await ApiStage.open({ METRICS_TOKEN });
  let own = 0;
  const begun = performance.now();
  await stage.fill(async (client) => {
    own = await fillGrown(client, stage.gateway.merchant, count);
  });
  console.error(`   ${count} payments: filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  await stage.untilCounted();
  const { text } = await stage.gateway.call(stage.create(0));
  return { stage, count, own, created: (JSON.parse(text) as { data: { id: string } }).data.id };
}

function operations({ stage, own, count, created }: Grown): Record<string, (i: number) => Call> {
  const { accessToken, applicationId } = stage.gateway.merchant;
  const get =
    (path: string, token = accessToken) =>
    (): Call => ({
      method: 'GET',
      path,
      headers: { Authorization: `Bearer ${token}` },
      status: 200,
    });
  const list = (query: string) => get(`/api/payment?${query}`);
  const last = (share: number) => `page=${Math.max(1, Math.ceil((own * share) / PER_PAGE) - 1)}`;
  // One that every size has, with an address and a transfer, and of the merchant.
  const known = 9;
  const id = createHash('md5')
    .update(`p${known}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const hash = `0x${createHash('md5').update(`h${known}`).digest('hex')}`;
  const inTheMiddle = new Date(Date.now() - 182 * 86_400_000).toISOString();
  return {
    'list, first page': list('page=1'),
    'list, last page': list(last(1)),
    'of an application, last page': list(`paymentApplicationId=${applicationId}&${last(1)}`),
    'of a status, first page': list('status=CANCELLED'),
    'of a status, last page': list(`status=OPEN&${last(0.3)}`),
    'of a currency, last page': list(`currencyCode=EUR&${last(0.1)}`),
    'of half a year, last page': list(`dateTo=${inTheMiddle}&${last(0.45)}`),
    'sorted by amount': list('sort=-amount'),
    'sorted by status, last page': list(`sort=status&${last(1)}`),
    'by exact reference': list('reference=order%209'),
    'search: payment id': list(`search=${id}`),
    'search: beginning of a reference': list(`search=order%20${String(count - 1).slice(0, -1)}`),
    'search: transaction': list(`search=${hash}`),
    'overview, first page': get('/api/payment-overview'),
    'overview, one status': get('/api/payment-overview?status=OPEN'),
    'a payment': get(`/api/payment/${created}`),
    create: (i) => stage.create(i),
    metrics: get('/metrics', METRICS_TOKEN),
  };
}

async function costsOf(grown: Grown, name: string, { rounds }: Options, requests: number): Promise<Cost> {
  const call = operations(grown)[name];
  demand(call !== undefined, name);
  const { gateway } = grown.stage;
  // Plans are made, code is compiled, pages are cached.
  await gateway.run(Math.min(10, requests), 1, call);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await gateway.run(requests, 1, call));
  const ms = (process: string) =>
    median(samples.map(({ cpu, operations: done }) => (cpu[process] ?? 0) / done / 1_000));
  return {
    gateway: ms('server'),
    postgres: ms('postgres'),
    p50: median(samples.flatMap(({ latencies }) => latencies ?? [])),
  };
}

function print(table: Record<string, [Cost, Cost]>, histories: readonly [Grown, Grown]): void {
  const [small, large] = histories.map(({ count }) => count.toLocaleString('en-US'));
  console.error(`| ms | Postgres, ${small} | Postgres, ${large} | ratio | gateway, both | response, both |`);
  console.error('| --- | --- | --- | --- | --- | --- |');
  for (const [name, [a, b]] of Object.entries(table)) {
    const ratio = (b.postgres / a.postgres).toFixed(1);
    const both = (of: keyof Cost) => `${a[of].toFixed(1)}, ${b[of].toFixed(1)}`;
    console.error(
      `| ${name} | ${a.postgres.toFixed(2)} | ${b.postgres.toFixed(2)} | ${ratio} | ${both('gateway')} | ${both('p50')} |`,
    );
  }
}
