import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { SystemClock } from '../platform/runtime/clock.pure.js';
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

export interface DevChainOptions {
  dataDir: string;
  chainId: number;
  /** Seconds from block to block. */
  stepSeconds?: number;
  /** Default: the port of the last time, or any free one. */
  port?: number;
  /** Program to run instead of the npm package's (ANVIL_BIN). */
  anvilBin?: string;
  logger?: DemoLogger;
}

/** A private EVM chain whose first unlocked account has 10,000 ETH and 1,000,000 of each token. */
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

const DEFAULT_STEP_SECONDS = 2;
const STOP_TIMEOUT_MS = 30_000;

/** The content of `<dataDir>/dev-chain.json`. */
interface ChainRecord {
  pid: number;
  port: number | null;
  /** Block 0, whose time is the chain's creation and so identifies the chain; null until it is known. */
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
  const files = filesOf(await realpath(options.dataDir));
  const record = await readRecord(files.recordFile);
  const adopted = record && (await adopt(record, options.chainId, files.state.file));
  if (adopted) options.logger?.info(`Adopted the running development chain (pid ${adopted.pid})`);
  const anvil = adopted ?? (await startAnvil(options, files, record));
  const rpcUrl = urlOf(anvil.port);
  const stopAnvil = () => stopProcess(anvil.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
  let tokens: DevTokens;
  try {
    tokens = await settle(rpcUrl, anvil, files, record, options.logger);
  } catch (error) {
    await stopAnvil();
    throw error;
  }
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
      await stopAnvil();
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

/** Remembers which chain this is, and gives a new one its tokens. */
async function settle(
  rpcUrl: string,
  anvil: RunningChain,
  { dataDir, recordFile, state }: ChainFiles,
  record: ChainRecord | null,
  logger: DemoLogger | undefined,
): Promise<DevTokens> {
  const genesis = await genesisOf(rpcUrl);
  const isOther = record?.genesis && record.genesis.hash !== genesis.hash;
  if (isOther)
    logger?.warn(`The development chain begins anew; delete ${dataDir} if the gateway does not follow`);
  await writeState(recordFile, { ...anvil, genesis });
  const tokens = await ensureDevTokens(rpcUrl);
  if (!(await state.exists())) await state.save(rpcUrl);
  return tokens;
}

/** The anvil that a killed gateway left, if it still serves our chain; otherwise it is ended. */
async function adopt(record: ChainRecord, chainId: number, stateFile: string): Promise<RunningChain | null> {
  const { pid, port, genesis } = record;
  if (!(await isOurAnvil(pid, stateFile))) return null;
  if (port !== null && (await answersAs(urlOf(port), chainId, genesis))) return { pid, port };
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

async function answersAs(rpcUrl: string, chainId: number, genesis: Genesis | null): Promise<boolean> {
  try {
    if (Number(await callRpcText(rpcUrl, 'eth_chainId')) !== chainId) return false;
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
    // anvil makes a block 0 of its own before it loads the saved ones, and saves both. Made at the same time
    // they are the same block; otherwise any of them would be block 0 after the next start.
    const genesisTime = (await state.exists()) ? record?.genesis?.time : undefined;
    const start = await spawnAnvil(
      program,
      { ...settings, port, ...(genesisTime !== undefined && { genesisTime }) },
      path.join(dataDir, 'anvil.log'),
      (pid) => writeState(recordFile, { pid, port: null, genesis: record?.genesis ?? null }),
    );
    if ('port' in start) {
      // Otherwise it would write a line for every request.
      await callRpc(urlOf(start.port), 'anvil_setLoggingEnabled', [false]);
      // Its clock would go on from block 0.
      if (genesisTime !== undefined)
        await callRpc(urlOf(start.port), 'evm_setTime', [new SystemClock().unixSeconds()]);
      return start;
    }
    if (/in use/i.test(start.failure) && options.port === undefined && port !== 0) {
      options.logger?.warn(`Port ${port} of the development chain is taken; it moves to a free one`);
      port = 0;
    } else if (start.failure.includes('failed to parse json file') && (await state.exists())) {
      const restored = await state.restoreCopy();
      const remedy = restored ? 'an earlier copy is used' : 'the chain begins anew';
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
