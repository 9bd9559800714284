// The attacker of tenant-costs.mjs, in a thread of its own: one message begins an attack by its name, "stop" ends it, and
// the numbers by status are posted. Each client sends its next request as soon as it has a response.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { baseUrl, origin, email, tokens, accessTokens, link } = workerData;
// Its own work is not the gateway's: the thread gets what the gateway and the victim leave of the processors.
os.setPriority(0, 10);

const agent = new http.Agent({ keepAlive: true, maxSockets: 600 });
let turn = 0;
/** As a trusted proxy names it; there are 200. */
const address = () => `198.51.100.${1 + (turn++ % 200)}`;
const pick = (values) => values[turn++ % values.length];
const fromAnywhere = () => ({ 'x-forwarded-for': address() });
const bearer = (of = accessTokens) => ({ authorization: `Bearer ${pick(of)}` });
const json = (body) => ({ method: 'POST', type: 'application/json', body });
const form = (fields) => ({
  method: 'POST',
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});

function send(path, { method = 'GET', headers = {}, type, body } = {}, holdMs = 0) {
  return new Promise((resolve) => {
    const content =
      body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const request = http.request(
      baseUrl + path,
      { method, agent, headers: { ...headers, ...content } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += text.length < 20_000 ? chunk : ''));
        const done = () => resolve({ status: response.statusCode, headers: response.headers, text });
        response.on('end', done).on('error', done).on('close', done);
        if (holdMs > 0) setTimeout(() => response.destroy(), holdMs);
      },
    );
    request.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
    request.end(body);
  });
}

/** A browser that has begun to sign in, and can send the form again and again. */
async function openSignIn() {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'dashboard',
    redirect_uri: `${origin}/dashboard/callback`,
    scope: 'openid *',
    state: 's',
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  });
  const { headers } = await send(`/api/oauth/authorize?${query}`, { headers: fromAnywhere() });
  if (!headers.location) return null;
  const cookie = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const { pathname, search } = new URL(headers.location, origin);
  return { path: pathname + search, cookie };
}

const SPELLINGS = [
  '%'.repeat(100),
  '_'.repeat(200),
  'a'.repeat(250),
  '0x',
  'R',
  '\\'.repeat(200),
  '0',
  'grown-1',
  'é',
  '-1',
];
const UNKNOWN = [
  `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  `{${Array.from({ length: 2_500 }, (_, i) => `"amuont${i}":1`).join(',')}}`,
  `{"metadata":{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":"1"`).join(',')}}}`,
  `{"amount":${'9'.repeat(60_000)}}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
];
const FILES = [
  '/api/payment/export?format=xlsx',
  '/api/transfers/export',
  '/api/webhook-deliveries/export',
  '/api/payment/export?format=jsonl',
];
const LISTS = [
  '/api/payment?perPage=100&page=100',
  '/api/payment?perPage=100&sort=amount',
  '/api/payment-overview?limit=100',
  '/api/reports/received?from=2022-01-01&to=2026-12-01&interval=day&timeZone=Asia/Kathmandu',
  '/api/audit?limit=100',
  '/api/events?limit=100',
];

/** By name: clients, and one request of one client; what each client begins with. */
const ATTACKS = {
  searches: [
    30,
    () =>
      send(`/api/payment-overview?search=${encodeURIComponent(pick(SPELLINGS))}&limit=100`, {
        headers: bearer(),
      }),
  ],
  'unknown keys': [
    30,
    () => send('/api/payment/checkout', { ...json(pick(UNKNOWN)), headers: bearer(tokens) }),
  ],
  'unsigned pages': [
    40,
    () =>
      send(
        `${pick(['/checkout/', '/api/checkout/payment/', '/receipt/'])}${uuid()}?expires=1893456000&signature=${'0'.repeat(64)}`,
        { headers: fromAnywhere() },
      ),
  ],
  'pages of one payment': [
    40,
    () => send(`${link}&lang=${pick(['ar', 'ja', 'fa', 'de'])}`, { headers: fromAnywhere() }),
  ],
  'junk sign-ins': [
    40,
    ({ path, cookie }) =>
      send(path, {
        ...form({ email: pick([email, `nobody${turn}@example.test`]), password: `wrong password ${turn}` }),
        headers: { ...fromAnywhere(), cookie, origin },
      }),
    openSignIn,
  ],
  'junk tokens': [
    40,
    () =>
      send('/api/payment', {
        headers: { ...fromAnywhere(), authorization: `Bearer pct_${randomBytes(20).toString('hex')}` },
      }),
  ],
  'junk links': [
    40,
    () =>
      send(`/api/oauth/access-link?token=${randomBytes(32).toString('base64url')}`, {
        headers: fromAnywhere(),
      }),
  ],
  exports: [20, () => send(pick(FILES), { headers: bearer() })],
  'huge lists': [30, () => send(pick(LISTS), { headers: bearer() })],
  feeds: [200, () => send(pick(['/api/events/stream', '/api/changes']), { headers: bearer() }, 2_000)],
};

const uuid = () => {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

parentPort.postMessage(Object.keys(ATTACKS));
for (;;) {
  const [name] = await once(parentPort, 'message');
  const [clients, attack, begin] = ATTACKS[name];
  const counts = {};
  let isStopped = false;
  parentPort.once('message', () => (isStopped = true));
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const state = begin ? await begin() : null;
      if (begin && !state) return;
      while (!isStopped) {
        const { status } = await attack(state);
        counts[status] = (counts[status] ?? 0) + 1;
        // As a client that heeds `Retry-After` a little; repeating refusals at once is what the pause before them is for.
        if (status === 429 || status === 0) await delay(100);
      }
    }),
  );
  parentPort.postMessage(counts);
}
