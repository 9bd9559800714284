import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { SigningSecretsService } from './applications/signing-secrets.service.js';
import { SEALED_SECRETS } from './applications/sealed-secrets.js';
import { formatAuditHead, parseAuditHead } from './common/audit-chain.js';
import { asOperator, AuditLog } from './common/audit-log.service.js';
import { AuditVerification } from './common/audit-verification.service.js';
import { SystemClock, toIsoSeconds } from './common/clock.js';
import { migrate } from './common/database.js';
import { stringifyExact } from './common/exact-json.js';
import { GatewayError } from './common/errors.js';
import { Resealing } from './common/resealing.service.js';
import { Sql } from './common/sql.js';
import { type Config, ConfigError, environment as ownEnvironment, loadConfig } from './config.js';
import { examine } from './doctor/doctor.js';
import { findingsText } from './doctor/finding.js';
import { OAuthClientsService } from './oauth/oauth-clients.service.js';
import { ProvisioningService } from './oauth/provisioning.service.js';
import { SEALED_KEYS as SEALED_OAUTH_KEYS } from './oauth/sealed-keys.js';
import { TwoFactorService } from './oauth/two-factor.service.js';
import type { User } from './oauth/user.entity.js';
import { UsersService } from './oauth/users.service.js';
import { isConsistent } from './reconciliation/reconciliation-report.js';
import { Reconciliation } from './reconciliation/reconciliation.service.js';
import { reconciliationText, reconciliationView } from './reconciliation/reconciliation-view.js';
import { SEALED_KEYS as SEALED_WALLET_KEYS } from './wallets/sealed-keys.js';
import { EventFeed } from './webhooks/event-feed.service.js';

const USAGE = `Usage: node dist/src/cli.js <command> [options], with the gateway's own environment

  create-user --email <address> [--operator] [--password-stdin]
      A user who can sign in. The password is read from standard input, or made and printed once.

  set-operator --email <address> [--revoke]
      Gives a user the right to the operator's views (/api/admin), or takes it back.

  disable-user --email <address>
  enable-user --email <address>
      Every sign-in and token of a user, and of the OAuth clients that act for them, opens nothing any more; what they
      own stays, and payments under way go on. Enabled again, they sign in anew.

  disable-two-factor --email <address>
      For a user who has lost device and recovery codes: the password alone signs in again. First make sure
      who is asking.

  verify [--json]
      Recomputes every balance and status from the chains and from the facts, while the gateway runs or not.
      Lists every difference and every unattributed deposit; exits with 1 when anything differs or was left out.

  verify:audit [--head <number>:<hash>]
      Computes the audit log's chain of hashes again. Prints its end, to be kept elsewhere; given the end of an
      earlier run, also proves that nothing was cut off. Exits with 1 at the first row that is not as it was.

  doctor [--json]
      Looks at everything around the gateway that has to be right: database, clocks, DNS, TLS, proxy headers, nodes,
      exchange rates, the shops' endpoints. Prints a fix for each finding; exits with 1 when a failure is among them.

  after-restore [--skip <count>]
      Raises the number of the next deposit address of every wallet, by 1000 unless told, so that none is handed out
      twice, and lets the event feed go on behind every cursor. Only for restores that the gateway cannot notice: a
      copy of the disk, a dump whose wallets do not remember their database yet.

  reseal-secrets
      After a new key was put in front of APP_KEYS, seals with it what older keys have sealed, while the gateway
      runs or not. May be interrupted and run again. Exits with 1 when something could not be opened.

  create-oauth-client --name <name> --user <address>
      For a merchant's own server (client_credentials): acts for that user. Prints id and secret once.

  create-oauth-client --name <name> --redirect-uri <url> [--redirect-uri <url>…] [--confidential]
      For a program that people sign in to (authorization code with PKCE), without a secret unless asked for.

  list-oauth-clients
      Id, name, user and state of each, the newest first.

  revoke-oauth-client --client-id <id>
      Its tokens open nothing any more, and it gets no new ones. To change a secret without a pause, create
      another client first.
`;

/** Differences, and unattributed deposits, that `verify` lists one by one. */
const LISTED = 10_000;

/** What a command reads and writes. */
export interface Terminal {
  input: AsyncIterable<Buffer | string>;
  write(text: string): void;
  writeError(text: string): void;
}

/** A wrong command line; the message says what is wrong with it. */
class UsageError extends Error {}

function options(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
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
  terminal.write(
    values.json ? `${stringifyExact(reconciliationView(report))}\n` : reconciliationText(report),
  );
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
  const resealing = app.get(Resealing);
  let lost = 0;
  for (const column of [...SEALED_SECRETS, ...SEALED_WALLET_KEYS, ...SEALED_OAUTH_KEYS]) {
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
    await app.get(EventFeed).skipLost(tx);
    const details = { by: Number(values.skip), wallets: skipped.length, feed: true };
    await app.get(AuditLog).record(tx, { act: 'wallets.skipped', userId: null, target: null, details });
    return skipped;
  });
  for (const { id, family, nextIndex } of wallets)
    terminal.write(`${family} wallet ${id} goes on with number ${nextIndex}\n`);
  terminal.write('the event feed goes on behind every cursor\n');
}

async function doctor(config: Config, { json }: Options, terminal: Terminal): Promise<number> {
  const findings = await examine(config, new SystemClock());
  terminal.write(json ? `${stringifyExact(findings)}\n` : findingsText(findings));
  return findings.some(({ severity }) => severity === 'failure') ? 1 : 0;
}

type Command = (app: INestApplicationContext, values: Options, terminal: Terminal) => Promise<number | void>;

const COMMANDS = new Map<string, Command>([
  ['create-user', createUser],
  ['set-operator', setOperator],
  ['verify', verify],
  ['verify:audit', verifyAudit],
  ['after-restore', afterRestore],
  ['reseal-secrets', resealSecrets],
  ['disable-user', disableUser],
  ['enable-user', enableUser],
  ['disable-two-factor', disableTwoFactor],
  ['create-oauth-client', createOAuthClient],
  ['list-oauth-clients', listOAuthClients],
  ['revoke-oauth-client', revokeOAuthClient],
]);

async function run(args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const { values, positionals } = options(args);
  if (values.help) {
    terminal.write(USAGE);
    return 0;
  }
  const [name = '', ...rest] = positionals;
  // Has to work where the gateway cannot even start.
  if (name === 'doctor' && rest.length === 0) return doctor(loadConfig(environment), values, terminal);
  const command = COMMANDS.get(name);
  if (!command || rest.length > 0) throw new UsageError(`unknown command "${positionals.join(' ')}"`);
  const config = { ...loadConfig(environment), loops: false };
  // What only reads leaves the schema to the gateway, too.
  if (command !== verify && command !== verifyAudit) await migrate(config.databaseUrl);
  const module = AppModule.register(config, new SystemClock());
  const app = await NestFactory.createApplicationContext(module, {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    return (await asOperator(() => command(app, values, terminal))) ?? 0;
  } finally {
    await app.close();
  }
}

/** Runs one command; answers the exit code: 0, 1 when it failed or found something wrong, 2 when it was not understood. */
export async function runCli(
  args: string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  try {
    return await run(args, environment, terminal);
  } catch (error) {
    const isExpected = [UsageError, ConfigError, GatewayError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    terminal.writeError(`${(error as Error).message}\n`);
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
