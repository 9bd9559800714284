import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../common/clock.js';
import { describeAnvilFailure, locateAnvil } from './anvil-binary.js';
import { DemoError } from './demo-error.js';
import type { DemoLogger } from './demo-logger.js';
import { keepPace, ownInterval } from './dev-chain-pace.js';
import { DevChainState } from './dev-chain-state.js';
import { type DevTokens, ensureDevTokens } from './dev-chain-tokens.js';
import { callRpc, callRpcText } from './json-rpc.js';
import { findProcess, stopProcess } from './processes.js';
import { readState, readTextOrNull, writeState } from './state-file.js';

export interface DevChainOptions {
  dataDir: string;
  /** Seconds from block to block. */
  stepSeconds?: number;
  /** Default: the port of the last time, or any free one. */
  port?: number;
  /** Program to run instead of the npm package's (ANVIL_BIN). */
  anvilBin?: string;
  logger?: DemoLogger;
}

/** A private Ethereum chain whose first unlocked account has 10,000 ETH and 1,000,000 of each token. */
export interface DevChain {
  rpcUrl: string;
  chainId: number;
  tokens: DevTokens;
  pid: number;
  /** True when it was found running: its gateway had been killed. */
  adopted: boolean;
  /** Saves the state and returns when anvil is gone. */
  stop(): Promise<void>;
}

export const DEV_CHAIN_ID = 31_337;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
/** What a killed anvil loses at most, in seconds. */
const SAVE_INTERVAL_SECONDS = 15;
/** States kept in memory: how deep anvil_reorg and historical eth_call reach. */
const STATES_KEPT = 64;

/** What `<dataDir>/dev-chain.json` remembers. */
interface ChainRecord {
  pid: number;
  port: number | null;
  /** Block 0, whose time is that of the chain's creation and so tells chains apart; null until it is known. */
  genesis: Genesis | null;
}

interface Genesis {
  hash: string;
  /** Unix seconds. */
  time: number;
}

interface RunningChain {
  pid: number;
  port: number;
}

/**
 * Starts anvil from its npm package with the state of the last time, or adopts the one that still runs for
 * this data directory. It runs in a session of its own, so that Ctrl-C reaches the gateway alone, which
 * then stops it after its last request.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const recordFile = path.join(dataDir, 'dev-chain.json');
  const state = new DevChainState(path.join(dataDir, 'anvil-state.json'));
  const record = await readRecord(recordFile);
  const adopted = record && (await adopt(record, state.file));
  if (adopted) options.logger?.info(`Adopted the running development chain (pid ${adopted.pid})`);
  const anvil = adopted ?? (await startAnvil(options, dataDir, state, record, recordFile));

  const rpcUrl = urlOf(anvil.port);
  const genesis = await genesisOf(rpcUrl);
  if (record?.genesis && record.genesis.hash !== genesis.hash)
    options.logger?.warn(
      `The development chain begins anew; delete ${dataDir} if the gateway does not follow`,
    );
  await writeState(recordFile, { ...anvil, genesis });
  const tokens = await ensureDevTokens(rpcUrl);
  if (!(await state.exists())) await state.save(rpcUrl);
  const pace = keepPace(rpcUrl, options.stepSeconds ?? 2, () => state.keepCopy(), options.logger);
  return {
    rpcUrl,
    chainId: DEV_CHAIN_ID,
    tokens,
    pid: anvil.pid,
    adopted: adopted !== null,
    stop: async () => {
      await pace.stop();
      await stopProcess(anvil.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    },
  };
}

/** The anvil that a killed gateway left, if it still answers as the chain we know; otherwise it is ended. */
async function adopt(record: ChainRecord, stateFile: string): Promise<RunningChain | null> {
  const { pid, port, genesis } = record;
  if (!(await isOurAnvil(pid, stateFile))) return null;
  if (port !== null && (await answersAs(urlOf(port), genesis))) return { pid, port };
  // Never two anvils on one state file. Without /proc the pid may be anybody's: leave it alone.
  if (process.platform === 'linux') await stopProcess(pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
  return null;
}

/** A pid may have been given to another program meanwhile: ours carries our state file in its arguments. */
async function isOurAnvil(pid: number, stateFile: string): Promise<boolean> {
  if ((await findProcess(pid)) === null) return false;
  if (process.platform !== 'linux') return true;
  const args = (await readTextOrNull(`/proc/${pid}/cmdline`)) ?? '';
  return args.split('\0').includes(stateFile);
}

async function answersAs(rpcUrl: string, genesis: Genesis | null): Promise<boolean> {
  try {
    if (Number(await callRpcText(rpcUrl, 'eth_chainId')) !== DEV_CHAIN_ID) return false;
    return genesis === null || (await genesisOf(rpcUrl)).hash === genesis.hash;
  } catch {
    // No answer, or not one of a node: then it is not the chain we look for.
    return false;
  }
}

async function genesisOf(rpcUrl: string): Promise<Genesis> {
  const block = await callRpc(rpcUrl, 'eth_getBlockByNumber', ['0x0', false]);
  const { hash, timestamp } = block as { hash: string; timestamp: string };
  return { hash, time: Number(timestamp) };
}

async function startAnvil(
  options: DevChainOptions,
  dataDir: string,
  state: DevChainState,
  record: ChainRecord | null,
  recordFile: string,
): Promise<RunningChain> {
  const program = locateAnvil(options.anvilBin);
  const log = path.join(dataDir, 'anvil.log');
  // 0 lets the system choose a free port, which cannot clash with another instance that starts just now.
  let port = options.port ?? record?.port ?? 0;
  for (;;) {
    // anvil makes a block 0 of its own before it loads the saved ones, and saves both. Made at the same time
    // they are the same block; otherwise any of them would be block 0 after the next start.
    const genesisTime = (await state.exists()) ? record?.genesis?.time : undefined;
    const args = anvilArguments(options, port, state.file, dataDir, genesisTime);
    const child = await spawnAnvil(program, args, log);
    const { pid } = child;
    // Written before it is ready, so that it is found even if we are killed in this moment.
    if (pid !== undefined)
      await writeState(recordFile, { pid, port: null, genesis: record?.genesis ?? null });
    const outcome = await waitForPort(child, log);
    if (typeof outcome === 'number' && pid !== undefined) {
      child.unref();
      // Otherwise it would write a line for every request.
      await callRpc(urlOf(outcome), 'anvil_setLoggingEnabled', [false]);
      // With a block 0 of its own time, its clock would go on from there.
      if (genesisTime !== undefined)
        await callRpc(urlOf(outcome), 'evm_setTime', [new SystemClock().unixSeconds()]);
      return { pid, port: outcome };
    }
    const said = String(outcome);
    if (/in use/i.test(said) && options.port === undefined && port !== 0) {
      options.logger?.warn(`Port ${port} of the development chain is taken; it moves to a free one`);
      port = 0;
    } else if (said.includes('failed to parse json file') && (await state.exists())) {
      const restored = await state.restoreCopy();
      const remedy = restored ? 'an earlier copy is used' : 'the chain begins anew';
      options.logger?.warn(`The saved state of the development chain is damaged: ${remedy}`);
    } else {
      throw new DemoError(describeAnvilFailure(program, said));
    }
  }
}

function anvilArguments(
  options: DevChainOptions,
  port: number,
  stateFile: string,
  dataDir: string,
): string[] {
  const flags = {
    '--host': '127.0.0.1',
    '--port': port,
    '--chain-id': DEV_CHAIN_ID,
    '--block-time': ownInterval(options.stepSeconds ?? 2),
    // "finalized" is two blocks below the tip, not 64.
    '--slots-in-an-epoch': 1,
    '--prune-history': STATES_KEPT,
    '--state': stateFile,
    '--state-interval': SAVE_INTERVAL_SECONDS,
    // Nothing is written there, but without it anvil leaves a folder in the home directory at every start.
    '--cache-path': path.join(dataDir, 'anvil-cache'),
    ...(genesisTime !== undefined && { '--timestamp': genesisTime }),
  };
  // A web page that the developer visits has no business with this chain.
  return [...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]), '--no-cors'];
}

async function spawnAnvil(program: string, args: string[], logFile: string): Promise<ChildProcess> {
  const log = await open(logFile, 'w');
  try {
    return spawn(program, args, { detached: true, stdio: ['ignore', log.fd, log.fd] });
  } finally {
    await log.close();
  }
}

/** @returns the port that anvil says it listens on, or what it said when it ended */
async function waitForPort(child: ChildProcess, logFile: string): Promise<number | string> {
  const failure = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const ended = await Promise.race([failure, delay(POLL_MS, null)]);
    const said = (await readTextOrNull(logFile)) ?? '';
    const [, port] = /^Listening on 127\.0\.0\.1:(\d+)/m.exec(said) ?? [];
    if (ended !== null) return `${ended}: ${said.trim().slice(-600)}`;
    if (port !== undefined) return Number(port);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      return 'it did not answer in time';
    }
  }
}

async function readRecord(file: string): Promise<ChainRecord | null> {
  const value = await readState(file);
  if (!value) return null;
  const { pid, port, genesis } = value as Partial<ChainRecord>;
  return {
    pid: typeof pid === 'number' ? pid : 0,
    port: typeof port === 'number' ? port : null,
    genesis: typeof genesis?.hash === 'string' && typeof genesis.time === 'number' ? genesis : null,
  };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
