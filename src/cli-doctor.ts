import { Logger } from '@nestjs/common';
import type { Options, Terminal } from './cli-command.js';
import type { Config } from './config.js';
import { examine } from './operations/doctor/doctor.js';
import { findingsText } from './operations/doctor/finding.js';
import { stringifyExact } from './platform/http/exact-json.pure.js';
import { SystemClock } from './platform/runtime/clock.pure.js';

/** Unlike the other commands it also works where the gateway cannot start. Returns the exit code. */
export async function doctor(config: Config, { json }: Options, terminal: Terminal): Promise<number> {
  // Log lines of the adapters would interrupt the report.
  Logger.overrideLogger(['error', 'fatal']);
  const findings = await examine(config, new SystemClock());
  terminal.write(json ? `${stringifyExact(findings)}\n` : findingsText(findings));
  return findings.some(({ severity }) => severity === 'failure') ? 1 : 0;
}
