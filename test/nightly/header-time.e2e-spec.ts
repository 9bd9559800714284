import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/*
 * Headers and queries are read by libraries too, which reader-time.spec.ts does not list: each is sent to the whole
 * gateway with texts of repeated characters, of two lengths.
 */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-type',
]
  .concat([
    'cookie',
    'forwarded',
    'idempotency-key',
    'if-none-match',
    'last-event-id',
    'origin',
    'prefer',
    'range',
  ])
  .concat(['traceparent', 'tracestate', 'user-agent', 'x-account', 'x-forwarded-for', 'x-request-id']);
const PLACES = [
  '/',
  '/api/payment',
  '/api/oauth/authorize',
  '/checkout/0190a000-0000-7000-8000-000000000000',
];
const PUMPS = [
  'a',
  '0',
  ' ',
  '\t',
  '"',
  '\\"',
  ',',
  ';',
  '=',
  '/',
  '.',
  '*',
  '%41',
  '&',
  '[',
  'a,',
  'a;',
  'a=b;',
].concat(['a-', '/a', 'a;q=0.1,', 'W/"a", ', '1:', 'Bearer ', 'a/a,', 'a=1&', 'a[]=1&']);
/** Characters: the longest that a request can have beside its other headers, and an eighth of them. */
const [SHORT, LONG] = [1_500, 12_000];
const LONGEST_URL = 8_000;
/** Microseconds of the processor, of both sides. */
const MUCH = 30_000;
/** Eight times a text takes at most eight times the work, and most of it is the same for any text. */
const STEEP = 8;
const [ROUNDS, CONFIRMED] = [3, 3];

let gateway: TestGateway;
const agent = new http.Agent({ keepAlive: true });
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  agent.destroy();
  await gateway.close();
});

type Ask = (length: number) => Promise<number>;

function ask(baseUrl: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, headers, agent }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });
}

/** The least of some tries: whatever else the machine does can only add to one. */
async function work(send: Ask, length: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least > MUCH; round++) {
    const before = process.cpuUsage();
    expect(await send(length)).toBeLessThan(500);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

async function isGrowing(send: Ask): Promise<boolean> {
  for (let time = 0; time < CONFIRMED; time++) {
    const long = await work(send, LONG);
    if (long < MUCH || long < STEEP * (await work(send, SHORT))) return false;
  }
  return true;
}

const repeated = (pump: string, length: number) => `${pump.repeat(Math.ceil(length / pump.length))}!`;

it.each([
  ['begins again at each character', /,+$/, true],
  ['goes on', /,$/, false],
])('a header read by a pattern that %s', async (_what, pattern, growing) => {
  const server = http.createServer((request, response) => {
    response.end(String(pattern.test(request.headers['accept'] ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await isGrowing((length) => ask(url, '/', { accept: repeated(',', length) }));
  server.closeAllConnections();
  server.close();
  expect(found).toBe(growing);
});

it.each(HEADERS)('the header %s', async (header) => {
  for (const path of PLACES)
    for (const pump of PUMPS)
      if (await isGrowing((length) => ask(gateway.baseUrl, path, { [header]: repeated(pump, length) })))
        throw new Error(`${path} ${pump}`);
});

it.each([
  '/api/payment?',
  '/api/payment?search=',
  '/api/oauth/authorize?scope=',
  '/checkout/x?lang=',
  '/api/',
])('%s and a text', async (path) => {
  for (const pump of PUMPS) {
    const text = encodeURI(pump);
    const send: Ask = (length) =>
      ask(gateway.baseUrl, path + repeated(text, Math.min(length, LONGEST_URL - 100)));
    if (await isGrowing(send)) throw new Error(pump);
  }
});
