import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoLogger } from './demo-logger.js';
import { DEEPEST_REORG } from './faucet/pay-arguments.js';
import { callRpc, callRpcText } from './json-rpc.js';
import { findProcess, stopProcess } from './processes.js';
import { readState, readTextOrNull, writeState } from './state-file.js';
import { supervise } from './supervise.js';

/** A private chain of litecoind with a funded wallet. */
export interface DevLitecoin {
  /** With user and password. */
  rpcUrl: string;
  pid: number;
  /** Resolves when litecoind has exited; its chain stays on disk. */
  stop(): Promise<void>;
}

interface LitecoinRecord {
  pid: number;
  port: number;
  password: string;
}

/** From Debian's package. `litecoind` in the PATH is a wrapper script, whose pid would not be the node's. */
const PROGRAM = '/usr/lib/litecoin/litecoind';
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
/** Another program can take a free port before litecoind does. */
const TRIES = 3;
const BLOCK_INTERVAL_MS = 5_000;
/** A mined coin can be spent after 100 blocks, also after the deepest reorg that the faucet makes. */
const FIRST_BLOCKS = 100 + DEEPEST_REORG + 10;

/**
 * Starts litecoind in regtest mode if Debian's package is installed, or adopts the one that a killed gateway left
 * running. Without extension blocks its chain is like Bitcoin's, so it also serves as bitcoin.
 * @returns null if it is not installed or does not start: the development profile works without it
 */
export async function startDevLitecoin(dataDir: string, logger: DemoLogger): Promise<DevLitecoin | null> {
  if (!existsSync(PROGRAM)) return null;
  const folder = path.join(dataDir, 'litecoin');
  const recordFile = path.join(dataDir, 'dev-litecoin.json');
  await mkdir(folder, { recursive: true });
  const left = await readRecord(recordFile);
  // Two processes must never use one folder.
  const record = left && (await adopt(left, folder)) ? left : await start(folder, recordFile);
  const rpcUrl = `http://demo:${record.password}@127.0.0.1:${record.port}`;
  try {
    await fillWallet(rpcUrl);
  } catch (error) {
    logger.warn(`The development profile starts without litecoind: ${String(error)}`);
    await stopProcess(record.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    return null;
  }
  const miner = keepMining(rpcUrl, logger);
  const restart = async () => {
    const { pid } = await start(folder, recordFile, 1, record);
    await fillWallet(rpcUrl);
    return pid;
  };
  const supervised = supervise('litecoind', record.pid, restart, logger);
  return {
    rpcUrl,
    pid: record.pid,
    stop: async () => {
      await miner.stop();
      await supervised.stop();
      await stopProcess(supervised.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    },
  };
}

async function adopt({ pid, port, password }: LitecoinRecord, folder: string): Promise<boolean> {
  if ((await findProcess(pid)) === null) return false;
  // The pid may have been reused by another program, so our folder must be among the arguments of the process.
  const args = (await readTextOrNull(`/proc/${pid}/cmdline`)) ?? '';
  if (!args.split('\0').includes(`-datadir=${folder}`)) return false;
  if (await isResponding(`http://demo:${password}@127.0.0.1:${port}`)) return true;
  await stopProcess(pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
  return false;
}

/**
 * In its own session, so that Ctrl-C reaches only the gateway, which then stops it.
 * @param before how it was reached before it ended: the gateway knows it by that
 */
async function start(
  folder: string,
  recordFile: string,
  tries = TRIES,
  before?: Pick<LitecoinRecord, 'port' | 'password'>,
): Promise<LitecoinRecord> {
  const { port, password } = before ?? {
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
  };
  const flags = [
    '-regtest',
    '-server',
    '-txindex=1',
    '-listen=0',
    '-printtoconsole=0',
    // Like Bitcoin: transactions can be replaced, and there are no extension blocks.
    '-mempoolreplacement=1',
    '-vbparams=mweb:-2:0',
    '-fallbackfee=0.0002',
    // Seconds, a hundred years: after a pause of a day it would call itself incomplete until the next block.
    '-maxtipage=3153600000',
    `-datadir=${folder}`,
    '-rpcuser=demo',
    `-rpcpassword=${password}`,
    `-rpcport=${port}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
  ];
  const child = spawn(PROGRAM, flags, { detached: true, stdio: 'ignore' });
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  const record = { pid: child.pid ?? 0, port, password };
  await writeState(recordFile, record, 0o600);
  await waitUntilResponding(
    `http://demo:${password}@127.0.0.1:${port}`,
    () => failure !== null || child.exitCode !== null,
  );
  if (child.exitCode !== null && tries > 1) return start(folder, recordFile, tries - 1);
  child.unref();
  return record;
}

/** Returns even if it never responds: then the first call reports the reason. */
async function waitUntilResponding(rpcUrl: string, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded() && performance.now() < deadline) {
    if (await isResponding(rpcUrl)) return;
    await delay(POLL_MS);
  }
}

async function isResponding(rpcUrl: string): Promise<boolean> {
  try {
    await callRpc(rpcUrl, 'getblockcount');
    return true;
  } catch {
    // Not started yet, or stopped.
    return false;
  }
}

async function fillWallet(rpcUrl: string): Promise<void> {
  const loaded = (await callRpc(rpcUrl, 'listwallets')) as string[];
  if (!loaded.includes('demo')) {
    const { wallets } = (await callRpc(rpcUrl, 'listwalletdir')) as { wallets: { name: string }[] };
    const isThere = wallets.some(({ name }) => name === 'demo');
    await callRpc(rpcUrl, isThere ? 'loadwallet' : 'createwallet', ['demo']);
  }
  const height = Number(await callRpc(rpcUrl, 'getblockcount'));
  if (height < FIRST_BLOCKS) await mine(rpcUrl, FIRST_BLOCKS - height);
  await callRpc(rpcUrl, 'gettxoutsetinfo');
}

/** To a new address each time, so that the blocks of two branches of a fork differ. */
async function mine(rpcUrl: string, blocks: number): Promise<void> {
  const address = await callRpcText(rpcUrl, 'getnewaddress');
  await callRpc(rpcUrl, 'generatetoaddress', [blocks, address]);
}

function keepMining(rpcUrl: string, logger: DemoLogger): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isDown = false;
  const step = async () => {
    try {
      await mine(rpcUrl, 1);
      // Writes everything to disk, which litecoind otherwise does once an hour: killed, it would come back with an older
      // chain than the one that the gateway has followed.
      await callRpc(rpcUrl, 'gettxoutsetinfo');
      isDown = false;
    } catch (error) {
      if (!isDown) logger.warn(`litecoind does not mine: ${String(error)}`);
      isDown = true;
    }
  };
  const timer = setInterval(() => {
    running ??= step().finally(() => (running = null));
  }, BLOCK_INTERVAL_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function readRecord(file: string): Promise<LitecoinRecord | null> {
  const { pid, port, password } = ((await readState(file)) ?? {}) as Partial<LitecoinRecord>;
  if (typeof pid !== 'number' || typeof port !== 'number' || typeof password !== 'string') return null;
  return { pid, port, password };
}
