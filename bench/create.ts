import { ApiStage } from './support/api-stage.js';
import type { ApiServer } from './support/api-server.js';
import { type Benchmark, type Options, scaled } from './support/benchmark.js';
import { type CaseResult, type Cases, interleave, printTable } from './support/measure.js';

const CLIENTS = [1, 16, 64];

/** Creating a payment: from the request to the response, with the payment committed in between. */
export const create: Benchmark = { name: 'create', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const payments = scaled(10_000, options, 20);
  const stage = await ApiStage.open();
  const servers = {
    gateway: stage.gateway,
    'bare, group commit': await stage.beside('group'),
    'Nest, group commit': await stage.beside('nest-group'),
    'bare, one insert': await stage.beside('bare'),
    'Nest, repository.save': await stage.beside('save'),
  };
  // Every key once.
  let keys = 0;
  const keyed = () => stage.create(keys, `key ${keys++}`);
  // Plans are made, code is compiled.
  for (const server of Object.values(servers)) await server.run(payments, 16, (i) => stage.create(i));
  await stage.gateway.run(payments, 16, keyed);
  // As a database has them that is older than a minute: a connection keeps the plans of foreign keys that it has made
  // while the tables were empty, until they are analysed.
  await stage.fill(async () => undefined);
  const results: Record<string, Record<string, CaseResult>> = {};
  for (const clients of CLIENTS) {
    const count = Math.round(clients === 1 ? payments / 2 : payments);
    const { gateway, ...others } = servers;
    const plain = (server: ApiServer) => () => server.run(count, clients, (i) => stage.create(i));
    const cases: Cases = {
      gateway: plain(gateway),
      'gateway, Idempotency-Key': () => gateway.run(count, clients, keyed),
      ...Object.fromEntries(Object.entries(others).map(([name, server]) => [name, plain(server)])),
    };
    console.error(`   ${clients} clients`);
    results[clients] = await interleave(cases, options.rounds);
    printTable(results[clients], 'payment');
  }
  return { payments, results };
}
