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
