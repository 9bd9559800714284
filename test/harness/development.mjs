// The development profile as a newcomer runs it: `npm start` in a process of its own, and what demo.json says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, killProcesses, listProcesses, until } from './checks.mjs';

export const { freePort } = await import('../support/free-port.ts');

const root = path.resolve(import.meta.dirname, '../..');
/** The DATA_DIR of a profile that profile.mjs keeps for several harnesses. */
const SHARED = 'SHARED_PROFILE';

/** As in a new shell: nothing of the gateway is set, and nothing of an npm that runs us. */
export function environment(extra) {
  const own =
    /^(npm_(?!config_(registry|cache|cafile|userconfig)$)|INIT_CWD$|NODE_ENV$|PORT$|DATA_DIR$|DATABASE_URL$)/;
  const rest = Object.entries(process.env).filter(([key]) => !own.test(key));
  return { ...Object.fromEntries(rest), ...extra };
}

/** Process groups and temporary folders that go when this program is killed. */
const groups = new Set();
const folders = new Set();

/** Starts a program in a session of its own, as a terminal would. */
function spawnGroup(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) return child;
  groups.add(pid);
  child.once('exit', () => groups.delete(pid));
  return child;
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function tidyAndExit(code) {
  for (const pid of groups) endGroup(pid, 'SIGTERM');
  const deadline = performance.now() + 20_000;
  while (groups.size > 0 && performance.now() < deadline) await delay(100);
  for (const pid of groups) endGroup(pid, 'SIGKILL');
  for (const folder of folders) {
    await killProcesses(folder);
    await rm(folder, { recursive: true, force: true });
  }
  process.exit(code);
}

// Otherwise Postgres and the chains of a night that was cut off would stay.
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
])
  process.once(signal, () => void tidyAndExit(128 + number));

/** Seconds, against hanging alone. */
const LIMIT = 1_200;

/** Runs a program to its end, which comes at the limit at the latest. */
export async function run(program, args, { cwd, env = {}, limit = LIMIT }) {
  const child = spawnGroup(program, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const timer = setTimeout(() => {
    output += `\n${program} was ended after ${limit} s`;
    endGroup(child.pid, 'SIGKILL');
  }, limit * 1_000);
  try {
    const [code] = await once(child, 'close');
    return { code, output };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a command works on this machine; says aloud what is not tried where it does not. */
export async function isHere([program, ...args], cwd, what) {
  const { code, output } = await run(program, args, { cwd }).catch((error) => ({
    code: 1,
    output: String(error.message),
  }));
  if (code !== 0)
    process.stdout.write(`NOT TRIED: ${what}, because ${program} is not here (${output.trim()})\n`);
  return code === 0;
}

export async function readFacts(file) {
  const text = await readFile(file, 'utf8').catch(() => 'null');
  return JSON.parse(text);
}

/**
 * `npm start` in a session of its own, as a terminal would. `facts` are null until demo.json is of this very
 * process: {@link announced} waits for it.
 */
export async function spawnGateway({ cwd, env, logFile, factsFile }) {
  const log = await open(logFile, 'w');
  const before = await readFacts(factsFile);
  const child = spawnGroup('npm', ['start'], {
    cwd,
    env: environment(env),
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  return { child, exited: once(child, 'exit'), logFile, factsFile, before, facts: null };
}

export async function announced(gateway) {
  const { child, logFile, factsFile, before } = gateway;
  gateway.facts = await until('the start', async () => {
    const text = await readFile(logFile, 'utf8');
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${text}`);
    const facts = await readFacts(factsFile);
    return facts && facts.pid !== before?.pid ? facts : null;
  });
  return gateway;
}

/**
 * A whole harness: `walk` on a development profile, which is started and stopped around it, or on the one that profile.mjs
 * keeps. `work` is a folder for what the walk makes; its files and processes go at the end.
 * @param extra settings of the gateway that is started
 */
export async function withProfile(name, walk, extra = {}) {
  const work = await mkdtemp(path.join(os.tmpdir(), `gateway-${name}-`));
  folders.add(work);
  // As root, Postgres runs as another user, who must pass through.
  await chmod(work, 0o711);
  try {
    const shared = process.env[SHARED];
    if (shared) {
      await walk({ facts: await readFacts(path.join(shared, 'demo.json')), dataDir: shared, work });
      return;
    }
    const dataDir = path.join(work, 'data');
    const port = await freePort();
    const gateway = await spawnGateway({
      cwd: root,
      // The browser of the tests resolves no name.
      env: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, DATA_DIR: dataDir, ...extra },
      logFile: path.join(work, 'start.log'),
      factsFile: path.join(dataDir, 'demo.json'),
    });
    const started = await check('the gateway starts', () => announced(gateway));
    if (started) await walk({ facts: started.facts, dataDir, work });
    await check('Ctrl-C stops the gateway and its companions', async () => {
      const { pid = 0 } = gateway.child;
      expect(pid > 0, 'it never started');
      process.kill(-pid, 'SIGINT');
      await gateway.exited;
      await until('the end of its companions', async () => (await listProcesses(work)).length === 0);
    });
  } finally {
    await killProcesses(work);
    await rm(work, { recursive: true, force: true });
    finish();
  }
}

/** Runs another harness on the profile in `dataDir`, and shows what it prints. */
export async function runOnProfile(file, dataDir) {
  const child = spawn(process.execPath, [path.join(root, 'test/harness', file)], {
    env: { ...process.env, [SHARED]: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  await once(child, 'close');
  return output;
}

export async function request(url, { token, ...options } = {}) {
  const response = await fetch(url, {
    ...options,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...options.headers },
  });
  const text = await response.text();
  expect(response.ok, `${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** @param method for JSON other than POST */
export function post(url, body, token, method = 'POST') {
  return request(url, {
    method,
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

/** An access token for the demo's OAuth client. */
export async function fetchOauthToken({ oauth }) {
  const basic = Buffer.from(`${oauth.clientId}:${oauth.clientSecret}`).toString('base64');
  const { access_token: token } = await request(oauth.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: { authorization: `Basic ${basic}` },
  });
  return token;
}

export async function rpc({ chains }, method, ...params) {
  const { result, error } = await post(chains.ethereum.rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
  expect(error === undefined, `${method}: ${JSON.stringify(error)}`);
  return result;
}

export async function readPayment({ baseUrl, clientToken }, id) {
  return (await request(`${baseUrl}/api/payment/${id}`, { token: clientToken })).data;
}

/** As a customer does: instructions of the signed link, then a transfer from a wallet. */
export async function payInEther(facts, checkoutUrl) {
  const link = new URL(checkoutUrl);
  const id = link.pathname.split('/').at(-1);
  const address = `${facts.baseUrl}/api/checkout/payment/${id}/provider/ethereum/method/eth${link.search}`;
  const { data: instructions } = await request(address);
  const [from] = await rpc(facts, 'eth_accounts');
  const value = `0x${BigInt(instructions.amount.atomic).toString(16)}`;
  await rpc(facts, 'eth_sendTransaction', { from, to: instructions.address, value });
}

/** Mines blocks at once, so as not to wait two seconds for each. */
export async function mineBlocks(facts, count) {
  await rpc(facts, 'anvil_mine', `0x${count.toString(16)}`);
}
