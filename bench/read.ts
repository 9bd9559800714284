import { ApiStage } from './support/api-stage.js';
import type { Call } from './support/api-server.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { type Cases, interleave, printTable } from './support/measure.js';

const CLIENTS = 16;
const METHOD = 'provider/ethereum/method/eth';

/** What merchants poll and customers see. */
export const read: Benchmark = { name: 'read', run: measure };

interface Created {
  id: string;
  /** `?expires=…&signature=…` */
  query: string;
}

async function measure(options: Options): Promise<Record<string, unknown>> {
  const count = scaled(10_000, options, 20);
  const stage = await ApiStage.open();
  const [bare, nest] = [await stage.beside('bare'), await stage.beside('save')];
  const { gateway } = stage;
  const make = async (i: number): Promise<Created> => {
    const { text } = await gateway.call(stage.create(i), CLIENTS);
    const { id, checkoutUrl } = (JSON.parse(text) as { data: { id: string; checkoutUrl: string } }).data;
    return { id, query: new URL(checkoutUrl).search };
  };
  const payments = await Promise.all(Array.from({ length: 100 }, (_, i) => make(i)));
  const first = payments[0];
  demand(first !== undefined, 'no payment');
  const of = (i: number): Created => payments[i % payments.length] ?? first;
  const get = (path: string, headers = {}, status = 200): Call => ({ method: 'GET', path, headers, status });
  const status = ({ id, query }: Created, headers = {}, expected = 200) =>
    get(`/api/checkout/payment/${id}${query}`, headers, expected);
  const instructions = ({ id, query }: Created) => get(`/api/checkout/payment/${id}/${METHOD}${query}`);
  for (const payment of payments) await gateway.call(instructions(payment));
  const tags = new Map<string, string>();
  for (const payment of payments) {
    const { headers } = await gateway.call(status(payment));
    tags.set(payment.id, String(headers['etag']));
  }
  const run = (callOf: (i: number) => Call) => () => gateway.run(count, CLIENTS, callOf);
  const cases: Cases = {
    'bare, one select': () =>
      bare.run(count, CLIENTS, (i) => get(`/payments/${of(i).id}`, stage.authorization)),
    'Nest, findOneBy': () =>
      nest.run(count, CLIENTS, (i) => get(`/api/payment/${of(i).id}`, stage.authorization)),
    'GET payment': run((i) => get(`/api/payment/${of(i).id}`, stage.authorization)),
    'public status': run((i) => status(of(i))),
    'status, not modified': run((i) => status(of(i), { 'If-None-Match': tags.get(of(i).id) ?? '' }, 304)),
    'payment methods': run((i) => get(`/api/checkout/${of(i).id}/payment-methods${of(i).query}`)),
    'instructions, first': async () => {
      const fresh = await Promise.all(Array.from({ length: scaled(300, options, 10) }, (_, i) => make(i)));
      return gateway.run(fresh.length, CLIENTS, (i) => instructions(fresh[i] ?? first));
    },
    'instructions, repeated': run((i) => instructions(of(i))),
    'hosted page': run((i) => get(`/checkout/${of(i).id}${of(i).query}`)),
  };
  for (const warmUp of Object.values(cases)) await warmUp(0);
  const results = await interleave(cases, options.rounds);
  printTable(results, 'request');
  return { count, results };
}
