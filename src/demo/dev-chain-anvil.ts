import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readTextOrNull } from './state-file.js';

const START_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
/** Seconds between anvil's state dumps: a killed anvil loses at most that much. */
const SAVE_INTERVAL_SECONDS = 15;
/** States kept in memory: how deep anvil_reorg and historical eth_call reach. */
const STATES_KEPT = 64;

/** Settings of one anvil process. */
export interface AnvilSettings {
  /** 0: a free port chosen by the system, so that it cannot clash with another instance that is starting. */
  port: number;
  chainId: number;
  /** Seconds between the blocks that anvil mines by itself. */
  blockSeconds: number;
  /** Loaded if it exists; saved every few seconds and on exit. */
  stateFile: string;
  cacheDir: string;
  /** Unix seconds of block 0. */
  genesisTime?: number;
}

export type AnvilStart = { pid: number; port: number } | { failure: string };

/**
 * Starts anvil in its own session and waits until it listens.
 * @param onSpawn receives the pid before anvil is ready, so that the pid is recorded even if this process is killed
 */
export async function spawnAnvil(
  program: string,
  settings: AnvilSettings,
  logFile: string,
  onSpawn: (pid: number) => Promise<void>,
): Promise<AnvilStart> {
  const log = await open(logFile, 'w');
  const stdio = ['ignore', log.fd, log.fd] as const;
  const child = spawn(program, anvilArguments(settings), { detached: true, stdio: [...stdio] });
  // Before anything is awaited: a missing program is reported by an event right after spawn.
  const ended = whenEnded(child);
  await log.close();
  if (child.pid === undefined) return { failure: await ended };
  await onSpawn(child.pid);
  const outcome = await waitForPort(child, ended, logFile);
  if (typeof outcome === 'string') return { failure: outcome };
  child.unref();
  return { pid: child.pid, port: outcome };
}

function anvilArguments(settings: AnvilSettings): string[] {
  const flags = {
    '--host': '127.0.0.1',
    '--port': settings.port,
    '--chain-id': settings.chainId,
    '--block-time': settings.blockSeconds,
    // "finalized" is two blocks below the tip, not 64.
    '--slots-in-an-epoch': 1,
    '--prune-history': STATES_KEPT,
    '--state': settings.stateFile,
    '--state-interval': SAVE_INTERVAL_SECONDS,
    // Without it, anvil creates a folder in the home directory at every start.
    '--cache-path': settings.cacheDir,
    ...(settings.genesisTime !== undefined && { '--timestamp': settings.genesisTime }),
  };
  // Web pages that the developer visits must not be able to call this chain.
  return [...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]), '--no-cors'];
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
}

/**
 * Reads the port from anvil's log, because a response on a known port could come from another program.
 * @returns the port, or anvil's output if it exited
 */
async function waitForPort(
  child: ChildProcess,
  ended: Promise<string>,
  logFile: string,
): Promise<number | string> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const end = await Promise.race([ended, delay(POLL_MS, null)]);
    const output = (await readTextOrNull(logFile)) ?? '';
    if (end !== null) return `${end}: ${output.trim().slice(-600)}`;
    const [, port] = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(output) ?? [];
    if (port !== undefined) return Number(port);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      return 'it did not respond in time';
    }
  }
}
