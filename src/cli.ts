import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { SigningSecretsService } from './applications/signing-secrets.service.js';
import { ENCRYPTED_SECRETS } from './applications/encrypted-columns.js';
import { formatAuditHead, parseAuditHead } from './platform/audit/audit-chain.pure.js';
import { asOperator, AuditLog } from './platform/audit/audit-log.service.js';
import { AuditVerification } from './platform/audit/audit-verification.service.js';
import { SystemClock, toIsoSeconds } from './platform/runtime/clock.pure.js';
import { migrate } from './platform/database/database.js';
import { stringifyExact } from './platform/http/exact-json.pure.js';
import { GatewayError } from './platform/errors/errors.pure.js';
import { KeyRotationService } from './platform/security/key-rotation.service.js';
import { redactText } from './platform/observability/redaction.pure.js';
import { isTransient, Sql } from './platform/database/sql.js';
import { type CommandName, isCommandName, optionsOf, USAGE } from './cli-usage.js';
import { type Config, ConfigError, environment as ownEnvironment, loadConfig } from './config.js';
import { examine } from './operations/doctor/doctor.js';
import { findingsText } from './operations/doctor/finding.js';
import { OAuthClientsService } from './identity/oauth/oauth-clients.service.js';
import { ProvisioningService } from './identity/oauth/provisioning.service.js';
import { ENCRYPTED_KEYS as ENCRYPTED_OAUTH_KEYS } from './identity/oauth/encrypted-columns.js';
import { TwoFactorService } from './identity/oauth/two-factor.service.js';
import type { User } from './identity/oauth/user.entity.js';
import { UsersService } from './identity/oauth/users.service.js';
import { isConsistent } from './operations/reconciliation/reconciliation-report.pure.js';
import { Reconciliation } from './operations/reconciliation/reconciliation.service.js';
import { reconciliationText, presentReport } from './operations/reconciliation/reconciliation-view.pure.js';
import { ENCRYPTED_KEYS as ENCRYPTED_WALLET_KEYS } from './wallets/encrypted-columns.js';
import { EventFeedRepository } from './webhooks/event-feed.repository.js';

/** Differences, and unattributed deposits, that `verify` lists one by one. */
const LISTED = 10_000;

/** A command's input and output. */
export interface Terminal {
  input: AsyncIterable<Buffer | string>;
  write(text: string): void;
  writeError(text: string): void;
}

/** An invalid command line; the message says why. */
class UsageError extends Error {}

function options(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        email: { type: 'string' },
        operator: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        skip: { type: 'string', default: '1000' },
        revoke: { type: 'boolean', default: false },
        'password-stdin': { type: 'boolean', default: false },
        name: { type: 'string' },
        'client-id': { type: 'string' },
        head: { type: 'string' },
        user: { type: 'string' },
        'redirect-uri': { type: 'string', multiple: true, default: [] },
        confidential: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
type Options = ReturnType<typeof options>['values'];

function required(value: string | undefined, name: string): string {
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
}

/** Without the line end that `echo` and password managers add. */
async function readPassword(input: Terminal['input']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

const newSecret = () => randomBytes(32).toString('base64url');

async function createUser(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<void> {
  const isGiven = values['password-stdin'];
  const password = isGiven ? await readPassword(terminal.input) : newSecret();
  const email = required(values.email, 'email');
  const user = await app.get(UsersService).create({ email, password, isOperator: values.operator });
  terminal.write(`user id:  ${user.id}\nemail:    ${user.email}\n`);
  if (!isGiven) terminal.write(`password: ${password}   (shown this once)\n`);
}

/** @throws UsageError when there is none */
async function userNamed(app: INestApplicationContext, { email }: Options): Promise<User> {
  const user = await app.get(UsersService).findByEmail(required(email, 'email'));
  if (!user) throw new UsageError(`there is no user ${email}`);
  return user;
}

async function setOperator(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<void> {
  const user = await userNamed(app, values);
  await app.get(UsersService).setOperator(user.id, !values.revoke);
  terminal.write(`email:    ${user.email}\noperator: ${values.revoke ? 'no' : 'yes'}\n`);
}

async function verify(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<number> {
  const report = await app.get(Reconciliation, { strict: false }).run({ limit: LISTED, budget: null });
  terminal.write(values.json ? `${stringifyExact(presentReport(report))}\n` : reconciliationText(report));
  return isConsistent(report) ? 0 : 1;
}

async function verifyAudit(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<number> {
  const kept = values.head === undefined ? null : parseAuditHead(values.head);
  if (values.head !== undefined && !kept) throw new UsageError('--head takes what an earlier run printed');
  const { rows, head, problem } = await app.get(AuditVerification).run(kept);
  terminal.write(`rows that hold: ${rows}\nhead:           ${formatAuditHead(head)}\n`);
  if (problem === null) return 0;
  terminal.writeError(`the audit log is broken: ${problem}\n`);
  return 1;
}

async function resealSecrets(
  app: INestApplicationContext,
  _values: Options,
  terminal: Terminal,
): Promise<number> {
  const forgotten = await app.get(SigningSecretsService, { strict: false }).forgetExpired();
  terminal.write(`webhook secrets of before, forgotten: ${forgotten}\n`);
  const resealing = app.get(KeyRotationService);
  let lost = 0;
  for (const column of [...ENCRYPTED_SECRETS, ...ENCRYPTED_WALLET_KEYS, ...ENCRYPTED_OAUTH_KEYS]) {
    const { name, resealed, unreadable } = await resealing.run(column);
    terminal.write(`${name}: ${resealed} sealed again\n`);
    for (const id of unreadable) terminal.writeError(`${name} of ${id}: no key of APP_KEYS opens it\n`);
    lost += unreadable.length;
  }
  terminal.write(
    'Keep the older keys for 24 hours: stored answers of idempotent requests need them until then.\n',
  );
  return lost === 0 ? 0 : 1;
}

async function createOAuthClient(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<void> {
  const redirectUris = values['redirect-uri'];
  const isForServer = redirectUris.length === 0;
  if (isForServer === !values.user) throw new UsageError('give either --user or --redirect-uri');
  const user = values.user ? await app.get(UsersService).findByEmail(values.user) : null;
  if (isForServer && !user) throw new UsageError(`there is no user ${values.user}`);
  const clientId = randomBytes(16).toString('hex');
  const secret = isForServer || values.confidential ? newSecret() : null;
  await app.get(ProvisioningService).ensureClient({
    clientId,
    name: required(values.name, 'name'),
    secret,
    userId: user?.id ?? null,
    grantTypes: isForServer ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    redirectUris,
  });
  terminal.write(`client id:     ${clientId}\n`);
  if (secret) terminal.write(`client secret: ${secret}   (shown this once)\n`);
}

async function listOAuthClients(
  app: INestApplicationContext,
  _values: Options,
  terminal: Terminal,
): Promise<void> {
  for (const { clientId, name, email, createdAt, revokedAt } of await app.get(OAuthClientsService).list()) {
    const state = revokedAt ? `revoked ${toIsoSeconds(revokedAt)}` : `created ${toIsoSeconds(createdAt)}`;
    terminal.write(`${clientId}  ${state}  ${email ?? 'for sign-in'}  ${name}\n`);
  }
}

async function revokeOAuthClient(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<void> {
  const clientId = required(values['client-id'], 'client-id');
  if (!(await app.get(ProvisioningService).revokeClient(clientId)))
    throw new UsageError(`there is no client ${clientId} that could be revoked`);
  terminal.write(`client id: ${clientId}\nrevoked:   yes\n`);
}

async function disableUser(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<void> {
  const user = await userNamed(app, values);
  await app.get(UsersService).disable(user.id);
  terminal.write(`email:    ${user.email}\ndisabled: yes\n`);
}

async function enableUser(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<void> {
  const user = await userNamed(app, values);
  await app.get(UsersService).enable(user.id);
  terminal.write(`email:    ${user.email}\ndisabled: no\n`);
}

async function disableTwoFactor(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<void> {
  const user = await userNamed(app, values);
  const wasEnabled = await app.get(TwoFactorService).reset(user.id);
  const outcome = wasEnabled ? 'is disabled' : 'was not enabled';
  terminal.write(`two-factor authentication of ${user.email} ${outcome}\n`);
}

/** All wallets and the feed of events, or nothing, with the audit log's row of it. */
async function afterRestore(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(values.skip)) throw new UsageError('--skip must be a count from 1 to 999999999');
  const wallets = await app.get(Sql).transaction(async (tx) => {
    const skipped = await tx.query<{ id: string; family: string; nextIndex: string }>(
      'update wallets set next_index = next_index + $1 returning id, family, next_index as "nextIndex"',
      [values.skip],
    );
    await app.get(EventFeedRepository).skipLost();
    const details = { by: Number(values.skip), wallets: skipped.length, feed: true };
    await app.get(AuditLog).record(tx, { act: 'wallets.skipped', userId: null, target: null, details });
    return skipped;
  });
  for (const { id, family, nextIndex } of wallets)
    terminal.write(`${family} wallet ${id} goes on with number ${nextIndex}\n`);
  terminal.write('the event feed goes on behind every cursor\n');
}

async function doctor(config: Config, { json }: Options, terminal: Terminal): Promise<number> {
  // The adapters' own log lines would interrupt the report.
  Logger.overrideLogger(['error', 'fatal']);
  const findings = await examine(config, new SystemClock());
  terminal.write(json ? `${stringifyExact(findings)}\n` : findingsText(findings));
  return findings.some(({ severity }) => severity === 'failure') ? 1 : 0;
}

type Command = (app: INestApplicationContext, values: Options, terminal: Terminal) => Promise<number | void>;

/** `doctor` is not among them: it has to work where the gateway cannot even start. */
const COMMANDS: Record<Exclude<CommandName, 'doctor'>, Command> = {
  'create-user': createUser,
  'set-operator': setOperator,
  verify,
  'verify:audit': verifyAudit,
  'after-restore': afterRestore,
  'reseal-secrets': resealSecrets,
  'disable-user': disableUser,
  'enable-user': enableUser,
  'disable-two-factor': disableTwoFactor,
  'create-oauth-client': createOAuthClient,
  'list-oauth-clients': listOAuthClients,
  'revoke-oauth-client': revokeOAuthClient,
};

/** Which command, and with which options. */
function understand(args: string[]): { name: CommandName; values: Options } | null {
  const { values, positionals, tokens } = options(args);
  if (values.help) return null;
  const [name = '', ...rest] = positionals;
  if (!isCommandName(name) || rest.length > 0)
    throw new UsageError(name === '' ? 'no command is given' : `unknown command "${positionals.join(' ')}"`);
  const known = optionsOf(name);
  const foreign = tokens.find((token) => token.kind === 'option' && !known.includes(token.name));
  if (foreign?.kind === 'option') throw new UsageError(`${name} takes no ${foreign.rawName}`);
  return { name, values };
}

/**
 * The environment of the gateway that is meant. Beside a development gateway nobody has set any: then what `npm start`
 * runs on is read from DATA_DIR. In production nothing is ever looked for there.
 * @throws DemoError when no development gateway runs
 */
async function environmentOf(own: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (own['DATABASE_URL']?.trim() || own['NODE_ENV'] === 'production') return own;
  const { readRunningEnvironment } = await import('./demo/running-environment.js');
  return readRunningEnvironment(own);
}

async function run(args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const understood = understand(args);
  if (!understood) {
    terminal.write(USAGE);
    return 0;
  }
  const { name, values } = understood;
  const loaded = loadConfig(await environmentOf(environment));
  if (name === 'doctor') return doctor(loaded, values, terminal);
  const config = { ...loaded, loops: false };
  // Read-only commands leave migrations to the gateway.
  if (name !== 'verify' && name !== 'verify:audit') await migrate(config.databaseUrl);
  const module = AppModule.register(config, new SystemClock());
  const app = await NestFactory.createApplicationContext(module, {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    return (await asOperator(() => COMMANDS[name](app, values, terminal))) ?? 0;
  } finally {
    await app.close();
  }
}

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
    // An attempt at several addresses of a host has a code only.
    terminal.writeError(`${redactText(error.message || codeOf(error))}\n`);
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
