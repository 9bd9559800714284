// What a production start costs, in CPU until `/api/health/ready` is 200: of the program as the image has it, bundled.
//   npm run build && node test/harness/start-cost.mjs
// START_PROFILE=<folder> also writes a CPU profile of each production start there.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import '../../scripts/register-typescript.mjs';
import { bundleServer } from '../../scripts/bundle-server.mjs';
import { keptPaths } from '../../scripts/supply-chain.mjs';
import { check, expect, finish, killProcesses } from './checks.mjs';

const { freePort } = await import('../support/free-port.ts');
const { startAnvil } = await import('../support/anvil.ts');
const { startTestPostgres } = await import('../support/test-postgres.ts');
const { asGateway, databaseUrl, migrateTestDatabase, TEST_APP_KEY } =
  await import('../support/test-server.ts');

const root = path.resolve(import.meta.dirname, '../..');
/** Seconds of CPU that are asked of a start, on a machine that does nothing else. */
const ASKED = 2;
/**
 * A start may take as many times the CPU of loading its largest libraries, which is measured beside it: on a machine
 * that does other things seconds of CPU grow, too, but both alike.
 */
const MOST = 1.5;
const LIBRARIES =
  '@nestjs/core @nestjs/platform-express typeorm pg oidc-provider class-validator undici zod'.split(' ');
const ROUNDS = 3;
/** A tick of /proc (CLK_TCK is 100 on Linux). */
const TICK_SECONDS = 0.01;

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-start-cost-'));
// As root, Postgres runs as another user, who must pass through.
await chmod(work, 0o711);

const image = path.join(work, 'image');

/** Seconds of CPU of a process so far, without its children. */
async function cpuOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_SECONDS;
}

/** Looks ten times a second. @returns seconds and CPU until it was so */
async function costUntil(child, isReady) {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  while (!(await isReady())) {
    expect(child.exitCode === null, `it ended with ${child.exitCode}`);
    await delay(100);
  }
  return { seconds: seconds(), cpu: await cpuOf(child.pid) };
}

const isReady = (port) => async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok === true;
};

async function stop(child) {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Seconds of CPU of a process that does nothing but load the libraries. */
async function loadLibraries() {
  const program = `
    console.warn = () => {};
    for (const name of ${JSON.stringify(LIBRARIES)}) await import(name);
    const { user, system } = process.cpuUsage();
    process.send((user + system) / 1e6);
    process.disconnect();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [cpu] = await once(child, 'message');
  return cpu;
}

/** The program and the packages beside it, as the Dockerfile puts them together. */
async function makeImage(folder) {
  await mkdir(folder);
  await cp(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
  await bundleServer(path.join(folder, 'dist'));
  for (const name of ['package.json', 'package-lock.json'])
    await cp(path.join(root, name), path.join(folder, name));
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  for (const place of keptPaths(lock)) {
    if (!existsSync(path.join(root, place)) || place.includes('/node_modules/')) continue;
    await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
    await symlink(path.join(root, place), path.join(folder, place));
  }
}

/** The least of several rounds: other work on the machine can only add to it. */
async function compare(name, start) {
  const [costs, libraries] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    libraries.push(await loadLibraries());
    costs.push(await start());
  }
  const list = costs.map(({ seconds, cpu }) => `${cpu.toFixed(2)} s CPU in ${seconds.toFixed(1)} s`);
  const least = Math.min(...costs.map(({ cpu }) => cpu));
  const times = least / Math.min(...libraries);
  const print = (line) => process.stdout.write(`        ${line}\n`);
  print(`${name}: ${list.join('; ')}`);
  print(`libraries: ${libraries.map((cpu) => `${cpu.toFixed(2)} s CPU`).join('; ')}`);
  print(
    `asked: ${ASKED} s CPU; measured: ${least.toFixed(2)} s here, ${times.toFixed(2)} times the libraries`,
  );
  expect(times <= MOST, `${times.toFixed(2)} times the CPU of the libraries; at most ${MOST}`);
}

async function startProduction(role, chain, url) {
  const port = await freePort();
  const profile = process.env.START_PROFILE;
  const options = profile
    ? ['--cpu-prof', '--cpu-prof-dir', profile, '--cpu-prof-name', `${role}.cpuprofile`]
    : [];
  const child = spawn(process.execPath, [...options, 'dist/src/main.js'], {
    cwd: image,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ROLE: role,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: 'https://pay.example.com',
      DATABASE_URL: asGateway(url),
      APP_KEYS: `t1:${TEST_APP_KEY.toString('base64')}`,
      CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
      CHAIN_ETHEREUM_RPC_URL: chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
      SHUTDOWN_DELAY_MS: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const cost = await costUntil(child, isReady(port));
  await stop(child);
  return cost;
}

const postgres = await startTestPostgres();
try {
  const chain = await startAnvil({ blockTime: 1 });
  try {
    const url = databaseUrl(postgres.adminUrl, 'postgres');
    await migrateTestDatabase(url);
    await makeImage(image);
    for (const role of ['all', 'api', 'watcher'])
      await check(`a production start (ROLE=${role}) costs at most ${MOST} times its libraries`, () =>
        compare(role, () => startProduction(role, chain, url)),
      );
  } finally {
    await chain.stop();
  }
} finally {
  await postgres.stop();
  await killProcesses(work);
  await rm(work, { recursive: true, force: true });
  finish();
}
