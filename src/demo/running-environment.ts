import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isConfigurationKey } from '../config.js';
import { DemoError } from './demo-error.js';
import { findProcess } from './processes.js';
import { readState, writeState } from './state-file.js';

/* The environment of a running development gateway, stored in its data directory for commands that run beside it. */

const fileOf = (dataDir: string) => path.join(dataDir, 'environment.json');

export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  return path.resolve(environment['DATA_DIR'] || '.data');
}

/** Only the variables that the configuration reads; the rest of a shell's environment is ignored. */
export async function writeRunningEnvironment(
  dataDir: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const variables = Object.entries(environment).filter(([key]) => isConfigurationKey(key));
  const self = await findProcess(process.pid);
  const state = { pid: process.pid, startTicks: self?.startTicks, variables: Object.fromEntries(variables) };
  // Only for the owner, because it contains keys.
  await writeState(fileOf(dataDir), state, 0o600);
}

export function removeRunningEnvironment(dataDir: string): Promise<void> {
  return rm(fileOf(dataDir), { force: true });
}

/**
 * The environment of the development gateway that runs with this DATA_DIR; the caller's own variables have precedence.
 * @throws DemoError if none runs there
 */
export async function readRunningEnvironment(own: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const dataDir = dataDirOf(own);
  const file = fileOf(dataDir);
  const state = await readState(file);
  // A gateway that was killed leaves its file behind.
  const found = state && (await findProcess(Number(state['pid'])));
  if (!found || found.startTicks !== state['startTicks']) {
    throw new DemoError(
      `No development gateway runs with DATA_DIR ${dataDir}: start it first: npm start ` +
        '(for any other gateway set its environment, DATABASE_URL first of all).',
    );
  }
  const { variables } = state;
  if (typeof variables !== 'object' || variables === null)
    throw new DemoError(`${file} is damaged: it lacks the variables`);
  const ours = Object.entries(own).filter(([, value]) => value?.trim());
  return { ...variables, ...Object.fromEntries(ours) };
}
