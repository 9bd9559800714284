import { Logger } from '@nestjs/common';
import type { Options, Terminal } from './command.js';
import { type Config, ConfigError, environment } from '../config.js';
import { examine } from '../operations/doctor/doctor.js';
import { problemsOf } from '../env-file.js';
import { type Finding, findingsText, reasonOf, Subject } from '../operations/doctor/finding.js';
import { stringifyExact } from '../platform/kernel/exact-json.pure.js';
import { listUnreadSettings } from '../unread-settings.js';
import { SystemClock } from '../platform/kernel/clock.pure.js';

/**
 * Unlike the other commands it also works where the gateway cannot start. With `json` standard output is one array of
 * findings, whatever happens. Returns the exit code.
 * @param load rejects when there is no valid configuration
 */
export async function doctor(
  load: () => Promise<Config>,
  { json }: Options,
  terminal: Terminal,
): Promise<number> {
  // Log lines of the adapters would interrupt the report.
  Logger.overrideLogger(json ? false : ['error', 'fatal']);
  // Names of chains and tokens are checked where the chains are made.
  const findings = await load()
    .then((config) => examine(config, new SystemClock(), listUnreadSettings(environment)))
    .catch((error: unknown) => {
      if (!json) throw error;
      return configurationFindings(error);
    });
  terminal.write(json ? `${stringifyExact(findings)}\n` : findingsText(findings));
  return findings.some(({ severity }) => severity === 'failure') ? 1 : 0;
}

function configurationFindings(error: unknown): Finding[] {
  const about = new Subject('configuration');
  const problems = error instanceof ConfigError ? problemsOf(error) : [reasonOf(error)];
  return problems.map((problem) =>
    about.failure(problem, 'correct the environment (docs/reference/configuration.md)'),
  );
}
