import { readFileSync } from 'node:fs';
import { ConfigError } from './config.js';
import { shellProblems } from './env-file.pure.js';

/**
 * What is wrong with the environment, and beside it what a shell has made of .env in the working folder: a value that it
 * takes apart looks like one that is missing (docs/how-to/deployment.md#without-docker).
 */
export function problemsOf(error: ConfigError): string[] {
  let text: string;
  try {
    text = readFileSync('.env', 'utf8');
  } catch {
    // Without the file there is nothing to add.
    return error.problems;
  }
  return [...error.problems, ...shellProblems(text)];
}

/** What went wrong when the development profile was loaded, which a bundle and an installation without its packages lack. */
export function refuseDevelopment(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new ConfigError([
    'NODE_ENV: must be production, with the other settings of the gateway: the development profile is not installed here',
  ]);
}
