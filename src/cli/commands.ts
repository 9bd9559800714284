import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { rescan, resumeChain, setStartHeight } from './chains.js';
import type { Command, Options, Terminal } from './command.js';
import { exportAccount } from './export.js';
import { printInstructionKeys } from './instruction-key.js';
import { migrateDatabase, migrationLog } from './migrate.js';
import {
  createOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
} from './oauth-clients.js';
import { replayWebhooks, showPayment } from './payments.js';
import { afterRestore, resealSecrets, verify, verifyAudit } from './records.js';
import { restoreDrill } from './restore-drill.js';
import type { CommandName } from './usage.js';
import {
  createUser,
  disableTwoFactor,
  disableUser,
  enableUser,
  eraseUser,
  listUsers,
  resetPasswordLink,
  restoreUser,
  setOperator,
  transferAccount,
} from './users.js';
import { type Config, loadConfig } from '../config.js';
import { asOperator } from '../platform/integrity/audit-log.service.js';
import { migrate } from '../platform/schema/migrate.js';
import { createPino, GatewayLogger } from '../platform/web/observability/logger.js';
import { SystemClock } from '../platform/kernel/clock.pure.js';

/** Not among them are those that also work where the gateway cannot start, or with another database than its own. */
const COMMANDS: Record<
  Exclude<CommandName, 'doctor' | 'migrate' | 'instruction-key' | 'restore-drill'>,
  Command
> = {
  users: listUsers,
  'create-user': createUser,
  'reset-password-link': resetPasswordLink,
  'set-operator': setOperator,
  'disable-user': disableUser,
  'enable-user': enableUser,
  'transfer-account': transferAccount,
  'erase-user': eraseUser,
  'export-account': exportAccount,
  'restore-user': restoreUser,
  'disable-two-factor': disableTwoFactor,
  verify,
  'verify:audit': verifyAudit,
  rescan,
  'resume-chain': resumeChain,
  'set-start-height': setStartHeight,
  payment: showPayment,
  'replay-webhooks': replayWebhooks,
  'after-restore': afterRestore,
  'reseal-secrets': resealSecrets,
  'create-oauth-client': createOAuthClient,
  'list-oauth-clients': listOAuthClients,
  'rotate-oauth-client': rotateOAuthClient,
  'revoke-oauth-client': revokeOAuthClient,
};

/**
 * MACs of facts are renewed by the schema's owner: the gateway's role cannot change facts. DATABASE_MIGRATION_URL never
 * leads to a pooler (docs/how-to/deployment.md#poolers), so its role needs no timeouts of its own.
 */
function asSchemaOwner(config: Config): Config {
  const { databaseMigrationUrl } = config;
  if (databaseMigrationUrl === null) return config;
  return { ...config, databaseUrl: databaseMigrationUrl, databasePoolMode: 'session' };
}

/**
 * Runs a command on the gateway that the variables describe; returns the exit code.
 * @param runCli for commands that are made of others
 */
export async function runCommand(
  name: Exclude<CommandName, 'doctor'>,
  options: Options,
  variables: NodeJS.ProcessEnv,
  terminal: Terminal,
  runCli: (args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal) => Promise<number>,
): Promise<number> {
  if (name === 'migrate') return migrateDatabase(variables, terminal);
  if (name === 'restore-drill')
    return restoreDrill(variables, options, terminal, (words, copy) => runCli([...words], copy, terminal));
  const loaded = loadConfig(variables);
  if (name === 'instruction-key') return printInstructionKeys(loaded, terminal);
  const config = { ...loaded, loops: false };
  // Read-only commands leave migrations to the gateway.
  if (name !== 'verify' && name !== 'verify:audit') await migrate(config, migrationLog(terminal));
  const access = name === 'reseal-secrets' ? asSchemaOwner(config) : config;
  const module = AppModule.register(access, new SystemClock());
  const app = await NestFactory.createApplicationContext(module, {
    logger: new GatewayLogger(createPino('error', { write: (line) => terminal.writeError(line) })),
    abortOnError: false,
  });
  try {
    return (await asOperator(() => COMMANDS[name](app, options, terminal))) ?? 0;
  } finally {
    await app.close();
  }
}
