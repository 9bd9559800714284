import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { SystemClock } from '../platform/kernel/clock.pure.js';
import { describeAnvilFailure, locateAnvil } from './anvil-binary.js';
import { DemoError } from './demo-error.js';
import type { DemoLogger } from './demo-logger.js';
import { spawnAnvil } from './dev-chain-anvil.js';
import { keepPace, ownInterval } from './dev-chain-pace.js';
import { DevChainState } from './dev-chain-state.js';
import { type DevTokens, ensureDevTokens } from './dev-chain-tokens.js';
import { callRpc, callRpcText } from './json-rpc.js';
import { findProcess, stopProcess } from './processes.js';
import { readState, readTextOrNull, writeState } from './state-file.js';
import { supervise } from './supervise.js';

export interface DevChainOptions {
  dataDir: string;
  chainId: number;
  /** Seconds from block to block. */
  stepSeconds?: number;
  /** Default: the previous port, or any free one. */
  port?: number;
  /** Replaces the anvil of the npm package (ANVIL_BIN). */
  anvilBin?: string;
  logger?: DemoLogger;
}

/** A private EVM chain whose first unlocked account has 10,000 ETH and 1,000,000 of each token. */
export interface DevChain {
  rpcUrl: string;
  chainId: number;
  tokens: DevTokens;
  pid: number;
  /** It was already running, because the previous gateway was killed. */
  adopted: boolean;
  /** Saves the state; resolves when anvil has exited. */
  stop(): Promise<void>;
}

const DEFAULT_STEP_SECONDS = 2;
const STOP_TIMEOUT_MS = 30_000;

/** The content of `<dataDir>/dev-chain.json`. */
interface ChainRecord {
  pid: number;
  port: number | null;
  /** Block 0. Its time is that of the chain's creation, so it identifies the chain; null until it is known. */
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
 * Starts anvil with the saved state, or adopts the one that still runs for this data directory. anvil runs in its own
 * session, so that Ctrl-C reaches only the gateway, which stops anvil after its last request.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  await mkdir(options.dataDir, { recursive: true });
  const files = filesOf(await realpath(options.dataDir));
  const record = await readRecord(files.recordFile);
  const adopted = record && (await adopt(record, options.chainId, files.state.file));
  if (adopted) options.logger?.info(`Adopted the running development chain (pid ${adopted.pid})`);
  const anvil = adopted ?? (await startAnvil(options, files, record));
  const rpcUrl = urlOf(anvil.port);
  let tokens: DevTokens;
  try {
    tokens = await prepareChain(rpcUrl, anvil, files, record, options.logger);
  } catch (error) {
    await stopProcess(anvil.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    throw error;
  }
  const restart = async () => {
    const { pid } = await startAnvil(
      { ...options, port: anvil.port },
      files,
      await readRecord(files.recordFile),
    );
    await prepareChain(rpcUrl, { ...anvil, pid }, files, record, options.logger);
    return pid;
  };
  const supervised = supervise('The development chain', anvil.pid, restart, options.logger);
  const step = options.stepSeconds ?? DEFAULT_STEP_SECONDS;
  const pace = keepPace(rpcUrl, step, () => files.state.keepCopy(), options.logger);
  return {
    rpcUrl,
    chainId: options.chainId,
    tokens,
    pid: anvil.pid,
    adopted: adopted !== null,
    stop: async () => {
      await pace.stop();
      await supervised.stop();
      await stopProcess(supervised.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    },
  };
}

interface ChainFiles {
  dataDir: string;
  recordFile: string;
  state: DevChainState;
}

function filesOf(dataDir: string): ChainFiles {
  const state = new DevChainState(path.join(dataDir, 'anvil-state.json'));
  return { dataDir, recordFile: path.join(dataDir, 'dev-chain.json'), state };
}

/** Records the identity of the chain, and deploys the tokens on a new one. */
async function prepareChain(
  rpcUrl: string,
  anvil: RunningChain,
  { dataDir, recordFile, state }: ChainFiles,
  record: ChainRecord | null,
  logger: DemoLogger | undefined,
): Promise<DevTokens> {
  const genesis = await genesisOf(rpcUrl);
  const isOther = record?.genesis && record.genesis.hash !== genesis.hash;
  if (isOther)
    logger?.warn(
      `The development chain starts from block 0; delete ${dataDir} if the gateway does not follow it`,
    );
  await writeState(recordFile, { ...anvil, genesis });
  const tokens = await ensureDevTokens(rpcUrl);
  if (!(await state.exists())) await state.save(rpcUrl);
  return tokens;
}

/** The anvil that a killed gateway left running, if it still serves our chain; otherwise it is stopped. */
async function adopt(record: ChainRecord, chainId: number, stateFile: string): Promise<RunningChain | null> {
  const { pid, port, genesis } = record;
  if (!(await isOurAnvil(pid, stateFile))) return null;
  if (port !== null && (await isServing(urlOf(port), chainId, genesis))) return { pid, port };
  // Two anvils must never use one state file. Without /proc the process may be another program: leave it alone.
  if (process.platform === 'linux') await stopProcess(pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
  return null;
}

/** The pid may have been reused by another program, so our state file must be among the arguments of the process. */
async function isOurAnvil(pid: number, stateFile: string): Promise<boolean> {
  if ((await findProcess(pid)) === null) return false;
  if (process.platform !== 'linux') return true;
  const args = (await readTextOrNull(`/proc/${pid}/cmdline`)) ?? '';
  return args.split('\0').includes(stateFile);
}

async function isServing(rpcUrl: string, chainId: number, genesis: Genesis | null): Promise<boolean> {
  try {
    if (Number(await callRpcText(rpcUrl, 'eth_chainId')) !== chainId) return false;
    return genesis === null || (await genesisOf(rpcUrl)).hash === genesis.hash;
  } catch {
    // No response, or not one of a node: it is not our chain.
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
  { dataDir, recordFile, state }: ChainFiles,
  record: ChainRecord | null,
): Promise<RunningChain> {
  const program = locateAnvil(options.anvilBin);
  const settings = {
    chainId: options.chainId,
    blockSeconds: ownInterval(options.stepSeconds ?? DEFAULT_STEP_SECONDS),
    stateFile: state.file,
    cacheDir: path.join(dataDir, 'anvil-cache'),
  };
  let port = options.port ?? record?.port ?? 0;
  for (;;) {
    // anvil creates a new block 0 before it loads the saved blocks, and saves both. With the same time they are the
    // same block; otherwise either could be block 0 after the next start.
    const genesisTime = (await state.exists()) ? record?.genesis?.time : undefined;
    const start = await spawnAnvil(
      program,
      { ...settings, port, ...(genesisTime !== undefined && { genesisTime }) },
      path.join(dataDir, 'anvil.log'),
      (pid) => writeState(recordFile, { pid, port: null, genesis: record?.genesis ?? null }),
    );
    if ('port' in start) {
      // Otherwise it logs a line for every request.
      await callRpc(urlOf(start.port), 'anvil_setLoggingEnabled', [false]);
      // Otherwise its clock continues from the time of block 0.
      if (genesisTime !== undefined)
        await callRpc(urlOf(start.port), 'evm_setTime', [new SystemClock().unixSeconds()]);
      return start;
    }
    if (/in use/i.test(start.failure) && options.port === undefined && port !== 0) {
      options.logger?.warn(`Port ${port} of the development chain is taken; it moves to a free one`);
      port = 0;
    } else if (start.failure.includes('failed to parse json file') && (await state.exists())) {
      const restored = await state.restoreCopy();
      const remedy = restored ? 'an earlier copy is used' : 'the chain starts from block 0';
      options.logger?.warn(`The saved state of the development chain is damaged: ${remedy}`);
    } else {
      throw new DemoError(describeAnvilFailure(program, start.failure));
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
