// What can be held against a block that is no program: each compares it with the gateway that runs, with its code, or
// with the tool that would read it. Takes the block and the setup, throws, and may answer what it did.
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import pg from 'pg';
import { parse } from 'yaml';
import '../../../scripts/register-typescript.mjs';
import { expect, until } from '../checks.mjs';
import { freePort, run } from '../development.mjs';
import { commandProblems } from './commands.mjs';
import { jsonProblems, schemaNamed } from './document.mjs';

const { ConfigError, loadConfig } = await import('../../../src/config.ts');
const { PAYMENT_STATUSES, canMove } = await import('../../../src/payments/payment-status.pure.ts');

const root = path.resolve(import.meta.dirname, '../../..');
const none = (problems) => expect(problems.length === 0, problems.join('\n'));

export function checkCommands({ text }) {
  none(commandProblems(text));
}

/** @param isPart only these fields of the schema are shown */
export function checkJson(schema, { isPart = false } = {}) {
  return ({ text }) => {
    const value = JSON.parse(text);
    none(jsonProblems(isPart ? { ...value, '…': '…' } : value, schema));
  };
}

/** What `npm start` printed, where addresses, tokens and names may differ. */
export async function checkSummary({ text }, { logFile }) {
  const log = (await readFile(logFile, 'utf8')).replaceAll(/ +/g, ' ');
  const missing = text
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '))
    .filter((line) => line.trim() !== '' && !sampleOf(line).test(log));
  none(missing.map((line) => `npm start printed no such line: ${line}`));
}

function sampleOf(line) {
  const parts = line.split(/(\/[^\s']*…\S*|\S*…\S*|localhost:\d+|127\.0\.0\.1:\d+)/);
  const patterns = parts.map((part, index) =>
    index % 2 === 0 ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : String.raw`\S+`,
  );
  return new RegExp(patterns.join(''));
}

/** The states and moves of the code. Moves back after a reorg are described in the text. */
export function checkMermaid({ text }) {
  const moves = [...text.matchAll(/^\s*(\S+) --> (\w+):/gm)].map(([, from, to]) => [from, to]);
  const shown = new Set(moves.map(([, to]) => to));
  expect(shown.size === PAYMENT_STATUSES.length, `${shown.size} states, not ${PAYMENT_STATUSES.length}`);
  none(moves.filter(([from, to]) => from !== '[*]' && !canMove(from, to)).map((move) => move.join(' --> ')));
  const rank = (status) => PAYMENT_STATUSES.indexOf(status);
  const forward = PAYMENT_STATUSES.flatMap((from) =>
    PAYMENT_STATUSES.filter((to) => canMove(from, to) && rank(to) > rank(from)).map((to) => `${from} ${to}`),
  );
  const drawn = new Set(moves.map((move) => move.join(' ')));
  none(forward.filter((move) => !drawn.has(move)).map((move) => `not drawn: ${move}`));
}

/** Names that the configuration knows, values that it takes. */
export function checkEnvironment({ text }) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => /^([A-Z_]+)=(.*)$/.exec(line)?.slice(1) ?? [line, '']);
  // "…" stands for what a reader has and we do not.
  const values = Object.fromEntries(lines.filter(([, value]) => !value.includes('…')));
  const base = {
    NODE_ENV: 'production',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgres://gateway:x@db.example.com/gateway',
    APP_KEYS: `k1:${createHmac('sha256', 'docs').digest('base64')}`,
    CHECKOUT_SIGNING_KEY: createHmac('sha256', 'checkout').digest('hex'),
    CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com',
  };
  const chain = /^CHAIN_([A-Z]+)_/.exec(lines[0][0])?.[1];
  const tron = chain === 'TRON' && { CHAIN_TRON_RPC_URL: 'https://api.trongrid.io' };
  const before = JSON.stringify(loaded({ ...base, ...tron }), exact);
  for (const [key, value] of Object.entries(values)) {
    if (value === tron?.[key]) continue;
    const after = JSON.stringify(loaded({ ...base, ...tron, [key]: value }), exact);
    expect(after !== before, `${key} changes nothing`);
  }
}

const exact = (_key, value) => (typeof value === 'bigint' ? String(value) : value);

function loaded(env) {
  try {
    return loadConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? new Error(error.problems.join('\n'), { cause: error }) : error;
  }
}

/** A start with just these mistakes prints just this. */
export async function checkConfigurationErrors({ text }, { clone }) {
  const env = {
    NODE_ENV: 'production',
    BASE_URL: 'http://pay.example.com',
    DATABASE_URL: 'postgres://gateway:x@127.0.0.1:9/gateway',
    APP_KEYS: `k1:${Buffer.alloc(32, 'a').toString('base64')}`,
    CHECKOUT_SIGNING_KEY: createHmac('sha256', 'checkout').digest('hex'),
    CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com',
    PORT: String(await freePort()),
  };
  const { code, output } = await run(process.execPath, ['dist/src/main.js'], { cwd: clone, env });
  // The OpenID library remarks on Node 20 first.
  const { level, msg } = JSON.parse(output.trim().split('\n').at(-1));
  expect(code !== 0 && level === 'fatal' && msg === text.trim(), output);
}

/** Headers with numbers as a fresh token gets them: names, policy and quota are the same, what is left may differ. */
export async function checkApiHeaders({ text }, { facts }) {
  const answer = await fetch(`${facts.baseUrl}/api/currencies`, {
    headers: { authorization: `Bearer ${facts.clientToken}` },
  });
  const shape = (value) => value.replaceAll(/\b([rt])=\d+/g, '$1=0').replace(/^\d+$/, '0');
  for (const [name, value] of headersOf(text)) {
    const real = answer.headers.get(name);
    expect(
      real !== null && shape(real) === shape(value),
      `${name}: ${value}, but the gateway answered ${real}`,
    );
  }
}

const headersOf = (text) =>
  text
    .split('\n\n')[0]
    .split('\n')
    .flatMap((line) => (/^([\w-]+): (.*)$/.exec(line) ? [/^([\w-]+): (.*)$/.exec(line).slice(1)] : []));

/** A webhook that has really come: the same headers of ours, and no field that does not exist. */
export async function checkWebhookRequest({ text }, { receiver }) {
  const { headers } = await until('a webhook', () => receiver.requests.at(-1));
  const shown = headersOf(text).map(([name, value]) => [name.toLowerCase(), value]);
  const names = new Set(shown.map(([name]) => name));
  none(
    [...names].filter((name) => headers[name] === undefined).map((name) => `no webhook has a header ${name}`),
  );
  const ours = Object.keys(headers).filter((name) => /^(webhook-|x-paymentservice-)/.test(name));
  none(ours.filter((name) => !names.has(name)).map((name) => `${name} is not shown`));
  const agent = shown.find(([name]) => name === 'user-agent');
  expect(agent[1] === headers['user-agent'], `User-Agent is ${headers['user-agent']}`);
  const body = JSON.parse(text.split('\n\n')[1].replace(', ...}', ', "…": "…"}'));
  none(jsonProblems(body, schemaNamed('PaymentReceivedEvent')));
}

/** The signature that the text gives for these bytes. */
export async function checkVector({ text, file, line }) {
  const document = (await readFile(path.join(root, file), 'utf8')).split('\n');
  const around = document.slice(line - 4, line + 6).join('\n');
  const [, secret] = /Secret `([^`]+)`/.exec(around) ?? [];
  const [, timestamp] = /timestamp `(\d+)`/.exec(around) ?? [];
  const [, signature] = /signature `([0-9a-f]{64})`/.exec(around) ?? [];
  const body = text.replace(/\n$/, '');
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  expect(signature === expected, `the text gives ${signature}, it is ${expected}`);
  const event = JSON.parse(body);
  none(
    jsonProblems({ ...event, payment: { ...event.payment, '…': '…' } }, schemaNamed('PaymentReceivedEvent')),
  );
}

/** The first event of the stream: the same fields, and data that begins with the same keys. */
export async function checkEventStream({ text }, { facts }) {
  const stop = new AbortController();
  const answer = await fetch(`${facts.baseUrl}/api/events/stream`, {
    headers: { authorization: `Bearer ${facts.clientToken}` },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]),
  });
  expect(answer.ok, `${answer.status}`);
  let seen = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    seen += chunk;
    if (/^data: .*\n\n/m.test(seen)) break;
  }
  stop.abort();
  const fields = (event) => [...event.matchAll(/^([a-z]+): /gm)].map(([, name]) => name);
  const real = seen.split('\n\n').find((event) => event.includes('data: '));
  expect(fields(real).join() === fields(text).join(), `the stream has ${fields(real).join()}`);
  const keys = (event) => Object.keys(JSON.parse(/^data: (.*)$/m.exec(event)[1].replace('{…}', '{}')));
  expect(keys(real).join() === keys(text).join(), `its data has ${keys(real).join()}`);
}

export async function checkPrometheus({ text }, { work }) {
  expect(Array.isArray(parse(text).scrape_configs), 'no scrape_configs');
  const file = path.join(work, 'prometheus.yml');
  await writeFile(file, text);
  const { status, stdout, stderr, error } = spawnSync(
    'promtool',
    ['check', 'config', '--syntax-only', file],
    {
      encoding: 'utf8',
    },
  );
  if (error?.code === 'ENOENT') return 'parsed; no promtool';
  expect(status === 0, stdout + stderr);
  return 'by promtool';
}

/** The one site of the file passes on to where compose.yaml publishes the gateway. */
export async function checkCaddyfile({ text }) {
  const [, host, target] = /^([\w.]+) \{\n\treverse_proxy ([\w.:]+)\n\}\n$/.exec(text) ?? [];
  const compose = await readFile(path.join(root, 'compose.yaml'), 'utf8');
  expect(host === 'pay.example.com', `the host is ${host}`);
  const published = target.replace(/:(\d+)$/, ':${GATEWAY_PORT:-$1}:$1');
  expect(compose.includes(`'${published}'`), `compose.yaml does not publish ${target}`);
}

/** Each upstream is a port that compose.scale.yaml publishes for the API. */
export async function checkUpstreams({ text }) {
  const [, list = ''] = /^\treverse_proxy ([\d.: ]+) \{$/m.exec(text) ?? [];
  const { services } = parse(await readFile(path.join(root, 'compose.scale.yaml'), 'utf8'), { merge: true });
  const [, first, last] = /^127\.0\.0\.1:(\d+)-(\d+):3000$/.exec(services.api.ports[0]) ?? [];
  const ports = list.split(' ').map((upstream) => Number(/^127\.0\.0\.1:(\d+)$/.exec(upstream)?.[1]));
  expect(ports.length === services.api.deploy.replicas, `${ports.length} upstreams`);
  for (const port of ports) expect(port >= Number(first) && port <= Number(last), `nothing is at ${port}`);
  expect(text.includes('health_uri /api/health/ready'), 'it does not ask whether they are ready');
}

/** Values that the chart's schema takes: no other names, and all that have no default. */
export async function checkChartValues({ text }) {
  const schema = JSON.parse(await readFile(path.join(root, 'ops/helm/values.schema.json'), 'utf8'));
  const ajv = new Ajv({ allErrors: true });
  expect(ajv.validate(schema, parse(text)), ajv.errorsText());
}

/** The statement runs on the gateway's own database, and finds something. */
export async function runSql({ text }, { databaseUrl }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin read only');
    const { rows } = await client.query(text);
    expect(rows.length > 0, 'no row');
    return `${rows.length} rows`;
  } finally {
    await client.end();
  }
}

export function checkTokenPattern({ text }, { facts }) {
  const pattern = new RegExp(`^${text.trim()}$`);
  expect(pattern.test(facts.clientToken), `it does not find ${facts.clientToken}`);
  expect(!pattern.test(facts.clientToken.slice(0, -1)), 'it finds what is too short');
}
