import type { Terminal } from './cli-command.js';
import { loadMigrationConfig } from './config.js';
import { migrate } from './platform/database/migrate.js';

/** Needs less of the configuration than the gateway, so that the owner's password can be kept from the gateway. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const { applied, grantedTo } = await migrate(loadMigrationConfig(environment));
  for (const name of applied) terminal.write(`applied: ${name}\n`);
  terminal.write(applied.length === 0 ? 'the schema is current\n' : `${applied.length} migrations applied\n`);
  if (grantedTo !== null) terminal.write(`rights granted to: ${grantedTo}\n`);
  return 0;
}
