import 'reflect-metadata';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { type Command, type Options, parseCommandLine, type Terminal, UsageError } from './cli-command.js';
import { rescan, resumeChain, setStartHeight } from './cli-chains.js';
import { doctor } from './cli-doctor.js';
import { exportAccount } from './cli-export.js';
import { printInstructionKeys } from './cli-instruction-key.js';
import {
  createOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
} from './cli-oauth-clients.js';
import { replayWebhooks, showPayment } from './cli-payments.js';
import { restoreDrill } from './cli-restore-drill.js';
import { afterRestore, resealSecrets, verify, verifyAudit } from './cli-records.js';
import { type CommandName, isCommandName, optionsOf, USAGE } from './cli-usage.js';
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
} from './cli-users.js';
import { ConfigError, environment as ownEnvironment, loadConfig } from './config.js';
import { problemsOf } from './env-file.js';
import { migrateDatabase, migrationLog } from './cli-migrate.js';
import { asOperator } from './platform/audit/audit-log.service.js';
import { migrate } from './platform/database/migrate.js';
import { isTransient } from './platform/database/sql.js';
import { GatewayError } from './platform/errors/errors.pure.js';
import { redactText } from './platform/observability/redaction.pure.js';
import { SystemClock } from './platform/runtime/clock.pure.js';

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

/** Returns null when help is requested. @throws UsageError */
function readCommand(args: string[]): { name: CommandName; options: Options } | null {
  const { values: options, positionals, tokens } = parseCommandLine(args);
  if (options.help) return null;
  const [name = '', ...rest] = positionals;
  if (!isCommandName(name) || rest.length > 0)
    throw new UsageError(name === '' ? 'no command is given' : `unknown command "${positionals.join(' ')}"`);
  const known = optionsOf(name);
  const foreign = tokens.find((token) => token.kind === 'option' && !known.includes(token.name));
  if (foreign?.kind === 'option') throw new UsageError(`${name} takes no ${foreign.rawName}`);
  return { name, options };
}

/**
 * The environment of the gateway that the command works on. Without DATABASE_URL that of the development profile is read
 * from DATA_DIR, but never in production.
 * @throws DemoError when no development profile runs
 */
async function environmentOf(own: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (own['DATABASE_URL']?.trim() || own['NODE_ENV'] === 'production') return own;
  const { readRunningEnvironment } = await import('./demo/running-environment.js');
  return readRunningEnvironment(own);
}

async function run(args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const command = readCommand(args);
  if (!command) {
    terminal.write(USAGE);
    return 0;
  }
  const { name, options } = command;
  if (name === 'doctor')
    return doctor(async () => loadConfig(await environmentOf(environment)), options, terminal);
  const variables = await environmentOf(environment);
  if (name === 'migrate') return migrateDatabase(variables, terminal);
  if (name === 'restore-drill')
    return restoreDrill(variables, options, terminal, (words, copy) => runCli([...words], copy, terminal));
  const loaded = loadConfig(variables);
  if (name === 'instruction-key') return printInstructionKeys(loaded, terminal);
  // MACs of facts are renewed by the schema's owner: the gateway's role cannot change facts.
  const databaseUrl = (name === 'reseal-secrets' && loaded.databaseMigrationUrl) || loaded.databaseUrl;
  const config = { ...loaded, loops: false };
  // Read-only commands leave migrations to the gateway.
  if (name !== 'verify' && name !== 'verify:audit') await migrate(config, migrationLog(terminal));
  const module = AppModule.register({ ...config, databaseUrl }, new SystemClock());
  const app = await NestFactory.createApplicationContext(module, {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    return (await asOperator(() => COMMANDS[name](app, options, terminal))) ?? 0;
  } finally {
    await app.close();
  }
}

/** One problem is one line. */
const textOf = (problems: string[]) =>
  problems.length === 1 ? String(problems[0]) : new ConfigError(problems).message;

const codeOf = (error: Error) => ('code' in error ? String(error.code) : error.name);

/** Expected errors: the message contains the remedy, and a stack trace would not help. */
function isExpected(error: unknown): error is Error {
  if ([UsageError, ConfigError, GatewayError].some((type) => error instanceof type)) return true;
  // Also errors of connections, files and the development profile, as in main.ts.
  return error instanceof Error && ('code' in error || isTransient(error));
}

/** Runs one command; returns the exit code: 0, 1 if it failed or found a problem, 2 if the command line is invalid. */
export async function runCli(
  args: string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  try {
    return await run(args, environment, terminal);
  } catch (error) {
    if (!isExpected(error)) throw error;
    const message = error instanceof ConfigError ? textOf(problemsOf(error)) : error.message;
    // A failed connection to several addresses of a host has no message, only a code.
    terminal.writeError(`${redactText(message || codeOf(error))}\n`);
    if (!(error instanceof UsageError)) return 1;
    terminal.writeError(`\n${USAGE}`);
    return 2;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await runCli(process.argv.slice(2), ownEnvironment, {
    input: process.stdin,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
}
