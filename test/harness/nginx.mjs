// Production by docs/how-to/deployment.md, behind the nginx of the distribution with the very configuration that the
// document shows: from a bare folder to the first confirmed payment, with the seconds of each step. Then what the proxy
// must do: TLS, the client's address, streams, limits, and logs without signed links.
//   node test/harness/nginx.mjs        needs nginx and Postgres (Debian: apt-get install nginx postgresql)
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';
import { environment, freePort, run } from './development.mjs';
import { listBlocks } from './docs/blocks.mjs';
import { Shell } from './docs/shell.mjs';
import { deployment } from './docs/setups.mjs';
import { installPackages } from './packages.mjs';

const { FaultHarness } = await import('../faults/fault-harness.ts');
const { withClient } = await import('../faults/postgres-server.ts');
const { SystemPostgres } = await import('../faults/system-postgres.ts');
const { selfSigned } = await import('../support/self-signed.ts');

const root = path.resolve(import.meta.dirname, '../..');
const NOT_COPIED = new Set(['.git', '.data', 'coverage', 'dist', 'node_modules', 'sdk/dist']);
const HOST = 'pay.example.com';
/** Forged in X-Forwarded-For (RFC 5737), and what a request really comes from. */
const FORGED = '192.0.2.7';
const CLIENT = '127.0.0.9';

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-nginx-'));
await chmod(work, 0o755);
const folder = path.join(work, 'gateway');
const blocks = listBlocks(await readFile(path.join(root, 'docs/how-to/deployment.md'), 'utf8'));
const blockWith = (part) => {
  const found = blocks.filter(({ text }) => text.includes(part));
  expect(found.length === 1, `${found.length} blocks of the document have ${part}`);
  return found[0].text;
};
/** A text of the document, for a reader whose values differ. */
function adapted(text, replacements) {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    expect(result.includes(from), `the document does not say ${from} any more`);
    return result.replaceAll(from, to);
  }, text);
}

/** Chosen when all other programs have theirs. */
let tlsPort, plainPort, gatewayPort, baseUrl;
const certificate = selfSigned('localhost', 'nginx');
const files = {
  certificate: path.join(work, 'fullchain.pem'),
  key: path.join(work, 'privkey.pem'),
  authorities: path.join(work, 'authorities.pem'),
  access: path.join(work, 'access.log'),
  errors: path.join(work, 'error.log'),
};
const postgres = await SystemPostgres.start({ isDurable: true });
const world = await FaultHarness.open(work);
await writeFile(files.certificate, certificate.cert);
await writeFile(files.key, certificate.key);
await writeFile(files.authorities, certificate.cert + world.merchant.certificate);
const running = { nginx: null, gateway: null, shell: null };
const steps = [];

/** Times a step of the walk; the first one that fails ends it. */
async function step(title, work_) {
  const start = performance.now();
  const isDone = await check(title, async () => {
    await work_();
    return true;
  });
  if (!isDone) throw new Error(`the walk ended at: ${title}`);
  steps.push([title, (performance.now() - start) / 1_000]);
}

/** A request by way of nginx. */
async function ask(address, { method = 'GET', headers = {}, body, ...options } = {}) {
  const request = https.request(new URL(address, baseUrl), {
    method,
    ca: certificate.cert,
    agent: false,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...options,
  });
  request.end(body);
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, text: await readAll(response) };
}

async function api(address, token, body) {
  const { status, text } = await ask(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(status >= 200 && status < 300, `${address}: ${status} ${text}`);
  return JSON.parse(text).data;
}

/** The empty lines of .env.example, what compose.yaml would have set, and the development chain in the place of Ethereum. */
async function fillIn() {
  [tlsPort, plainPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  baseUrl = `https://localhost:${tlsPort}`;
  const values = {
    BASE_URL: baseUrl,
    APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
    CHAIN_ETHEREUM_RPC_URL: world.chain.url,
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    MIGRATOR_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
    GATEWAY_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
  };
  const example = await readFile(path.join(folder, '.env.example'), 'utf8');
  const filled = example.replaceAll(/^([A-Z_]+)=$/gm, (_line, name) => {
    expect(values[name], `nothing is known for ${name}`);
    return `${name}=${values[name]}`;
  });
  const more = {
    DATABASE_URL: `'${postgres.url('gateway', 'gateway_app')}'`,
    HOST: '127.0.0.1',
    PORT: gatewayPort,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_TOKEN: randomBytes(24).toString('hex'),
    CHAIN_ETHEREUM_CHAIN_ID: world.chain.chainId,
    CHAIN_ETHEREUM_CONFIRMATIONS: 2,
    RATES_KRAKEN_URL: `${world.rates.url}/kraken`,
    RATES_COINBASE_URL: `${world.rates.url}/coinbase`,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    SHUTDOWN_DELAY_MS: 0,
  };
  const lines = Object.entries(more).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(path.join(folder, '.env'), `${filled}${lines.join('')}`, { mode: 0o600 });
  return values;
}

async function makeRoles(values) {
  await postgres.run('psql', ['-U', 'postgres', '-d', 'postgres', '-c', 'create database gateway']);
  const script = path.join(postgres.folder, 'roles.sql');
  await cp(path.join(root, 'ops/postgres/roles.sql'), script);
  await postgres.run('psql', ['-U', 'postgres', '-d', 'gateway', '-f', script], values);
}

/** The file of the document, within the least that nginx needs around it. */
async function startNginx() {
  const site = adapted(blockWith('log_format without_query'), {
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${tlsPort} ssl http2;`,
    [`server_name ${HOST};`]: 'server_name localhost;',
    [`/etc/letsencrypt/live/${HOST}/fullchain.pem`]: files.certificate,
    [`/etc/letsencrypt/live/${HOST}/privkey.pem`]: files.key,
    [`/var/log/nginx/${HOST}.access.log`]: files.access,
    [`/var/log/nginx/${HOST}.error.log`]: files.errors,
    'http://127.0.0.1:3000;': `http://127.0.0.1:${gatewayPort};`,
  });
  await writeFile(path.join(work, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(work, name)};`,
  );
  const main = [
    ...(process.getuid() === 0 ? ['user root;'] : []),
    `daemon off; pid ${path.join(work, 'nginx.pid')};`,
    'events {}',
    `http { ${temporary.join(' ')} include ${path.join(work, 'site.conf')}; }`,
  ];
  await writeFile(path.join(work, 'nginx.conf'), main.join('\n'));
  const child = spawn('/usr/sbin/nginx', ['-e', 'stderr', '-c', path.join(work, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.nginx = child;
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  await until('nginx', async () => {
    expect(child.exitCode === null, output);
    return ask('/').catch(() => null);
  });
}

const WITH_ENV = 'set -a; . ./.env; set +a\n';

async function startGateway() {
  const lines = blockWith('npm prune --omit=dev').trim().split('\n');
  expect(lines.at(-1) === 'NODE_ENV=production node dist/src/main.js', `it starts by ${lines.at(-1)}`);
  running.gateway = spawn('bash', ['-euo', 'pipefail', '-c', `${lines.at(-2)}\nexec env ${lines.at(-1)}`], {
    cwd: folder,
    env: environment({ NODE_EXTRA_CA_CERTS: files.authorities }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [running.gateway.stdout, running.gateway.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  await until('a ready gateway', async () => {
    expect(running.gateway.exitCode === null, output);
    return (await ask('/api/health/ready').catch(() => null))?.status === 200;
  });
}

async function stop(name) {
  const child = running[name];
  running[name] = null;
  if (child === null || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function walk() {
  let values;
  await step('npm ci, and the build', async () => {
    const [build, prune] = blockWith('npm prune --omit=dev').split('\n');
    expect(build.startsWith('npm ci && ') && prune.startsWith('npm prune'), 'it says otherwise');
    const filter = (source) => !NOT_COPIED.has(path.relative(root, source));
    await cp(root, folder, { recursive: true, filter });
    await installPackages(folder);
    // The packages may be links to the project's own, and npm would write to that list.
    const steps = [build.replace('npm ci && ', ''), 'rm -f node_modules/.package-lock.json', prune];
    const { code, output } = await run('sh', ['-c', steps.join(' && ')], { cwd: folder });
    expect(code === 0, output);
  });
  await step('.env', async () => {
    values = await fillIn();
  });
  await step('database roles', () => makeRoles(values));
  await mkdir(path.join(work, 'steps'));
  running.shell = new Shell({
    cwd: folder,
    env: {
      CURL_CA_BUNDLE: files.authorities,
      NODE_EXTRA_CA_CERTS: files.authorities,
      NODE_ENV: 'production',
      ...(await deployment()),
    },
    folder: path.join(work, 'steps'),
  });
  const { shell } = running;
  await step('cli migrate', async () => {
    const owner = postgres.url('gateway', 'gateway_migrator');
    const printed = await shell.run(
      `${WITH_ENV}DATABASE_MIGRATION_URL='${owner}' node dist/src/cli.js migrate\n`,
    );
    expect(printed.includes('rights granted to: gateway_app'), printed);
  });
  await step('nginx', startNginx);
  await step('the gateway', startGateway);
  await step('user and OAuth client', async () => {
    const printed = await shell.run(
      adapted(blockWith('create-user --email you@example.com'), { 'docker compose exec gateway ': '' }),
    );
    const [, id] = /client id: +(\S+)/.exec(printed) ?? [];
    const [, secret] = /client secret: +(\S+)/.exec(printed) ?? [];
    expect(id && secret, printed);
    await shell.run(`OAUTH_CLIENT_ID='${id}' OAUTH_CLIENT_SECRET='${secret}'`);
  });
  await step('application and wallet', async () => {
    const text = adapted(blockWith('WEBHOOK_SECRET="whsec_'), {
      [`https://${HOST}`]: baseUrl,
      'https://shop.example.com/webhooks/payments': world.merchant.url,
    });
    const printed = await shell.run(text);
    expect(/"previewAddresses":\["0x/.test(printed), printed);
  });
  await step('cli doctor --json', async () => {
    const printed = await shell.run('node dist/src/cli.js doctor --json 2>/dev/null');
    const findings = JSON.parse(printed);
    const wrong = findings.filter(({ severity }) => severity === 'failure');
    expect(wrong.length === 0, JSON.stringify(wrong, null, 2));
    for (const subject of ['TLS', 'public address', 'proxy headers', 'database role', 'webhook endpoint'])
      expect(
        findings.some((finding) => finding.subject === subject && finding.severity === 'ok'),
        `${subject} is not ok: ${printed}`,
      );
  });
  let payment;
  const token = (await shell.run('printf %s "$TOKEN"')).trim();
  await step('the first payment', async () => {
    const id = (await shell.run('printf %s "$APPLICATION_ID"')).trim();
    const { clientId } = await api(`/api/payment-applications/${id}`, token);
    const order = { amount: 2500, currencyCode: 'USD', reference: 'ORDER-1', referenceLabel: 'First order' };
    payment = await api('/api/payment/checkout', token, { ...order, clientId });
    expect(payment.checkoutUrl.startsWith(`${baseUrl}/checkout/`), payment.checkoutUrl);
  });
  const link = new URL(payment.checkoutUrl);
  const stream = await openStream(payment.id, link.search);
  await check('a stream of events is passed on at once', () =>
    until('the first bytes', async () => stream.text.includes('retry: ')),
  );
  await step('paid and CONFIRMED', async () => {
    const at = `/api/checkout/payment/${payment.id}/provider/ethereum/method/eth${link.search}`;
    const { status, text } = await ask(at);
    expect(status === 200, text);
    const { address, amount } = JSON.parse(text).data;
    await world.chain.sendEth({ to: address, value: BigInt(amount.atomic) });
    await until('CONFIRMED', async () => {
      const { status: now } = await api(`/api/payment/${payment.id}`, token);
      return now === 'CONFIRMED';
    });
  });
  await check('the open stream has sent events of the payment', async () => {
    const events = stream.text.split('\n\n').filter((event) => /^(id|event|data):/m.test(event));
    stream.close();
    expect(events.length > 1, `only ${JSON.stringify(stream.text)}`);
  });
  return { payment, link };
}

async function openStream(id, search) {
  const request = https.get(new URL(`/checkout/${id}/events${search}`, baseUrl), {
    ca: certificate.cert,
    agent: false,
    headers: { accept: 'text/event-stream' },
  });
  const [response] = await once(request, 'response');
  expect(response.statusCode === 200, `the stream answers ${response.statusCode}`);
  const stream = { text: '', close: () => request.destroy() };
  response.setEncoding('utf8').on('data', (chunk) => (stream.text += chunk));
  response.on('error', () => {});
  return stream;
}

async function checkProxy({ payment, link }) {
  await check('the checkout page is there, with HSTS and without the version of nginx', async () => {
    const { status, headers, text } = await ask(`${link.pathname}${link.search}`);
    expect(status === 200 && text.includes('<html'), `${status} ${text.slice(0, 200)}`);
    expect(headers['strict-transport-security'].startsWith('max-age=31536000'), 'no HSTS');
    expect(headers.server === 'nginx', `server: ${headers.server}`);
  });
  await check('http is redirected to https, with path and query', async () => {
    const response = await fetch(`http://127.0.0.1:${plainPort}/checkout/x?a=1&b=2`, {
      redirect: 'manual',
      headers: { host: 'localhost' },
    });
    const to = response.headers.get('location');
    expect(
      response.status === 301 && /^https:\/\/[^/]+\/checkout\/x\?a=1&b=2$/.test(to),
      `${response.status} ${to}`,
    );
  });
  await check('the gateway sees the address of the client, not the one it claims', async () => {
    const headers = {
      authorization: `Bearer wrong-${randomBytes(8).toString('hex')}`,
      'x-forwarded-for': FORGED,
    };
    const { status } = await ask('/api/account', { headers, localAddress: CLIENT, family: 4 });
    expect(status === 401, `${status}`);
    const { rows } = await withClient(postgres.url('gateway', 'postgres'), (db) =>
      db.query(`select subject from failed_attempts where subject = any($1)`, [[CLIENT, FORGED]]),
    );
    expect(rows.length === 1 && rows[0].subject === CLIENT, JSON.stringify(rows));
  });
  await check('a large body is refused', async () => {
    const body = JSON.stringify({ reference: 'x'.repeat(200_000) });
    const { status } = await ask('/api/payment/checkout', { method: 'POST', body });
    expect(status === 413, `${status}`);
  });
  await stop('gateway');
  await check('without the gateway nginx answers 502', async () => {
    const { status } = await ask(`${link.pathname}${link.search}`);
    expect(status === 502, `${status}`);
  });
  await check('no log of nginx has a signature, a query or a Referer', async () => {
    await ask('/', { headers: { referer: payment.checkoutUrl } });
    const [access, errors] = [await readFile(files.access, 'utf8'), await readFile(files.errors, 'utf8')];
    expect(
      access.includes(`"GET ${link.pathname}" 200`),
      `the page is not in the log:\n${access.slice(-2_000)}`,
    );
    for (const [name, log] of [
      ['access', access],
      ['error', errors],
    ])
      expect(!/signature|\?|expires=/.test(log), `the ${name} log:\n${log.slice(-2_000)}`);
  });
}

try {
  const done = await walk();
  const total = steps.reduce((sum, [, seconds]) => sum + seconds, 0);
  const width = Math.max(...steps.map(([title]) => title.length));
  for (const [title, seconds] of [...steps, ['in all', total]])
    process.stdout.write(`  ${title.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s\n`);
  await checkProxy(done);
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await running.shell?.close();
  await stop('gateway');
  await stop('nginx');
  await world.close();
  await postgres.stop();
  if (process.env.KEEP_LOGS) process.stdout.write(`logs: ${work}\n`);
  else await rm(work, { recursive: true, force: true });
}
finish();
