import { hasPgBouncer } from '../test/support/pgbouncer.js';
import { ApiStage } from './support/api-stage.js';
import { type ApiServer, type Call, runCalls } from './support/api-server.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { type CaseResult, type Cases, interleave, printTable, treeCpu } from './support/measure.js';

const COUNTS = [1, 2, 4];
/** As few as show that it runs: each start takes seconds. */
const LEAST = [1, 2];
const CLIENTS = 16;

/** The same requests for one, two and four API processes on one database, directly and through PgBouncer. */
export const instances: Benchmark = { name: 'instances', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const count = scaled(2_000, options, 20);
  const counts = options.scale > 0 ? COUNTS : LEAST;
  const stage = await ApiStage.open();
  const direct = await several(counts, () => stage.instance());
  const pooler = hasPgBouncer ? await stage.pooler() : null;
  if (!pooler) console.error('   without PgBouncer, which is not installed (apt-get install pgbouncer)');
  const pooled = pooler ? await several(counts, () => stage.instance(pooler)) : [];
  const cpu = { postgres: () => stage.database.cpu(), pgbouncer: () => treeCpu(pooler?.pid ?? 0) };
  const { text } = await stage.gateway.call(stage.create(0));
  const { id } = (JSON.parse(text) as { data: { id: string } }).data;
  const operations: Record<string, (i: number) => Call> = {
    create: (i) => stage.create(i),
    get: () => ({ method: 'GET', path: `/api/payment/${id}`, headers: stage.authorization, status: 200 }),
  };
  const results: Record<string, Record<string, CaseResult>> = {};
  for (const [operation, callOf] of Object.entries(operations)) {
    const cases: Cases = {};
    for (const [way, groups] of Object.entries({ direct, PgBouncer: pooled }))
      for (const group of groups)
        cases[`${group.length} ${way}`] = () =>
          runCalls(count, CLIENTS, (i) => of(group, i).call(callOf(i), CLIENTS), {
            api: () => group.reduce((sum, server) => sum + server.cpu(), 0),
            ...cpu,
          });
    for (const warmUp of Object.values(cases)) await warmUp(0);
    console.error(`   ${operation}, ${CLIENTS} clients`);
    results[operation] = await interleave(cases, options.rounds);
    printTable(results[operation], operation);
  }
  return { count, results };
}

/** Groups of so many servers; a larger one begins with those of the smaller. */
async function several(counts: readonly number[], start: () => Promise<ApiServer>): Promise<ApiServer[][]> {
  const all: ApiServer[] = [];
  while (all.length < Math.max(...counts)) all.push(await start());
  return counts.map((count) => all.slice(0, count));
}

function of(group: readonly ApiServer[], i: number): ApiServer {
  const server = group[i % group.length];
  demand(server !== undefined, 'no server');
  return server;
}
