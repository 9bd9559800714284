import type { Terminal } from './command.js';
import { loadMigrationConfig } from '../config.js';
import type { MigrationLog } from '../platform/schema/apply-migrations.js';
import { migrate } from '../platform/schema/migrate.js';
import { redactText } from '../platform/kernel/redaction.pure.js';

/** Progress goes to standard error, a line of JSON each: standard output is for results. */
export function migrationLog(terminal: Terminal): MigrationLog {
  const write = (fields: object, text: string) =>
    terminal.writeError(`${redactText(JSON.stringify({ ...fields, msg: text }))}\n`);
  return { log: write, warn: write };
}

/** Needs less of the configuration than the gateway, so that the owner's password can be kept from the gateway. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const { applied, grantedTo } = await migrate(loadMigrationConfig(environment), migrationLog(terminal));
  for (const name of applied) terminal.write(`applied: ${name}\n`);
  terminal.write(applied.length === 0 ? 'the schema is current\n' : `${applied.length} migrations applied\n`);
  if (grantedTo !== null) terminal.write(`rights granted to: ${grantedTo}\n`);
  return 0;
}
