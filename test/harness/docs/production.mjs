// The commands of docs/how-to/deployment.md for those without Docker: a checkout of their own, an .env filled in, a database.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, until } from '../checks.mjs';
import { environment, freePort } from '../development.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const NOT_COPIED = new Set(['.git', '.data', 'coverage', 'dist', 'node_modules', 'sdk/dist']);
/** Seconds: packages, build, migrations. And for the end, with the delay of a rolling restart. */
const START = 300;
const STOP = 45;

/** A database beside the development profile's own. */
async function createDatabase(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database production');
  await client.end();
  return url.replace('/postgres?', '/production?');
}

/** The empty lines filled in, and what compose.yaml would have set. */
async function fillIn(file, { facts, databaseUrl }, port) {
  const values = {
    BASE_URL: 'https://pay.example.com',
    APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
    CHAIN_ETHEREUM_RPC_URL: facts.chains.ethereum.rpcUrl,
    POSTGRES_PASSWORD: 'unused',
    MIGRATOR_DATABASE_PASSWORD: 'unused',
    GATEWAY_DATABASE_PASSWORD: 'unused',
  };
  const text = await readFile(file, 'utf8');
  const filled = text.replaceAll(/^([A-Z_]+)=$/gm, (_line, name) => {
    expect(values[name], `nothing is known for ${name}`);
    return `${name}=${values[name]}`;
  });
  await writeFile(file, filled);
  const more = { DATABASE_URL: `'${await createDatabase(databaseUrl)}'`, PORT: port, HOST: '127.0.0.1' };
  const chain = { CHAIN_ETHEREUM_CHAIN_ID: facts.chains.ethereum.chainId };
  const lines = Object.entries({ ...more, ...chain }).map(([name, value]) => `${name}=${value}\n`);
  await appendFile(file, lines.join(''));
}

export async function runWithoutDocker({ text }, harness) {
  const folder = path.join(harness.work, 'production');
  const filter = (source) => !NOT_COPIED.has(path.relative(root, source));
  await cp(root, folder, { recursive: true, filter });
  const file = path.join(folder, '.env');
  await copyFile(path.join(folder, '.env.example'), file);
  const port = await freePort();
  await fillIn(file, harness, port);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    env: environment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-10_000)));
  const closed = once(child, 'close');
  await until('a ready gateway', START, async () => {
    expect(child.exitCode === null, output);
    return (await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null))?.ok;
  }).catch((error) => {
    throw new Error(`${error.message}\n${output}`);
  });
  const { pid = 0 } = child;
  expect(pid > 0, 'it never started');
  process.kill(-pid, 'SIGTERM');
  await until('the stop', STOP, () => child.exitCode !== null || child.signalCode !== null);
  await closed;
  return 'ready, and stopped by SIGTERM';
}
