import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readTextOrNull } from './state-file.js';

const START_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
/** Interval of anvil's state dumps, in seconds: a killed anvil loses at most that much. */
const SAVE_INTERVAL_SECONDS = 15;
/** States kept in memory: how deep anvil_reorg and historical eth_call reach. */
const STATES_KEPT = 64;

/** How one anvil is to run. */
export interface AnvilSettings {
  /** 0: any free one, chosen by the system, so that it cannot clash with an instance that starts just now. */
  port: number;
  chainId: number;
  /** Seconds between blocks when none is requested. */
  blockSeconds: number;
  /** Loaded if it exists, saved every few seconds and at the end. */
  stateFile: string;
  cacheDir: string;
  /** Unix seconds of block 0. */
  genesisTime?: number;
}

export type AnvilStart = { pid: number; port: number } | { failure: string };

/**
 * Starts anvil in a session of its own and waits until it listens.
 * @param onSpawn receives the pid before anvil is ready, so that it is known even if we are killed meanwhile
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
  // Listened to at once: a program that does not exist is reported in the next instant.
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
    // Little is written there, but without it anvil leaves a folder in the home directory at every start.
    '--cache-path': settings.cacheDir,
    ...(settings.genesisTime !== undefined && { '--timestamp': settings.genesisTime }),
  };
  // A web page that the developer visits has no business with this chain.
  return [...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]), '--no-cors'];
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
}

/**
 * anvil says in its log which port it listens on; an answer on a port could be somebody else's.
 * @returns the port, or anvil's output when it ended
 */
async function waitForPort(
  child: ChildProcess,
  ended: Promise<string>,
  logFile: string,
): Promise<number | string> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const end = await Promise.race([ended, delay(POLL_MS, null)]);
    const said = (await readTextOrNull(logFile)) ?? '';
    if (end !== null) return `${end}: ${said.trim().slice(-600)}`;
    const [, port] = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(said) ?? [];
    if (port !== undefined) return Number(port);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      return 'it did not answer in time';
    }
  }
}
