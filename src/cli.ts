import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { SystemClock } from './common/clock.js';
import { migrate } from './common/database.js';
import { stringifyExact } from './common/exact-json.js';
import { GatewayError } from './common/errors.js';
import { ConfigError, environment as ownEnvironment, loadConfig } from './config.js';
import { ProvisioningService } from './oauth/provisioning.service.js';
import { TwoFactorService } from './oauth/two-factor.service.js';
import { UsersService } from './oauth/users.service.js';
import { isConsistent } from './reconciliation/reconciliation-report.js';
import { Reconciliation } from './reconciliation/reconciliation.service.js';
import { reconciliationText, reconciliationView } from './reconciliation/reconciliation-view.js';

const USAGE = `Usage: node dist/src/cli.js <command> [options], with the gateway's own environment

  create-user --email <address> [--operator] [--password-stdin]
      A user who can sign in. The password is read from standard input, or made and printed once.

  set-operator --email <address> [--revoke]
      Gives a user the right to the operator's views (/api/admin), or takes it back.

  disable-two-factor --email <address>
      For a user who has lost device and recovery codes: the password alone signs in again. First make sure
      who is asking.

  verify [--json]
      Recomputes every balance and status from the chains and from the facts, while the gateway runs or not.
      Lists every difference and every unattributed deposit; exits with 1 when anything differs or was left out.

  create-oauth-client --name <name> --user <address>
      For a merchant's own server (client_credentials): acts for that user. Prints id and secret once.

  create-oauth-client --name <name> --redirect-uri <url> [--redirect-uri <url>…] [--confidential]
      For a program that people sign in to (authorization code with PKCE), without a secret unless asked for.
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
        revoke: { type: 'boolean', default: false },
        'password-stdin': { type: 'boolean', default: false },
        name: { type: 'string' },
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

async function setOperator(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<void> {
  const users = app.get(UsersService);
  const email = required(values.email, 'email');
  const user = await users.findByEmail(email);
  if (!user) throw new UsageError(`there is no user ${email}`);
  await users.setOperator(user.id, !values.revoke);
  terminal.write(`email:    ${user.email}\noperator: ${values.revoke ? 'no' : 'yes'}\n`);
}

async function verify(app: INestApplicationContext, values: Options, terminal: Terminal): Promise<number> {
  const report = await app.get(Reconciliation, { strict: false }).run({ limit: LISTED, budget: null });
  terminal.write(
    values.json ? `${stringifyExact(reconciliationView(report))}\n` : reconciliationText(report),
  );
  return isConsistent(report) ? 0 : 1;
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

async function disableTwoFactor(
  app: INestApplicationContext,
  values: Options,
  terminal: Terminal,
): Promise<void> {
  const email = required(values.email, 'email');
  const user = await app.get(UsersService).findByEmail(email);
  if (!user) throw new UsageError(`there is no user ${email}`);
  const wasEnabled = await app.get(TwoFactorService).reset(user.id);
  const outcome = wasEnabled ? 'is disabled' : 'was not enabled';
  terminal.write(`two-factor authentication of ${user.email} ${outcome}\n`);
}

type Command = (app: INestApplicationContext, values: Options, terminal: Terminal) => Promise<number | void>;

const COMMANDS = new Map<string, Command>([
  ['create-user', createUser],
  ['set-operator', setOperator],
  ['verify', verify],
  ['disable-two-factor', disableTwoFactor],
  ['create-oauth-client', createOAuthClient],
]);

async function run(args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const { values, positionals } = options(args);
  if (values.help) {
    terminal.write(USAGE);
    return 0;
  }
  const [name = '', ...rest] = positionals;
  const command = COMMANDS.get(name);
  if (!command || rest.length > 0) throw new UsageError(`unknown command "${positionals.join(' ')}"`);
  const config = { ...loadConfig(environment), loops: false };
  // What only reads leaves the schema to the gateway, too.
  if (command !== verify) await migrate(config.databaseUrl);
  const module = AppModule.register(config, new SystemClock());
  const app = await NestFactory.createApplicationContext(module, {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    return (await command(app, values, terminal)) ?? 0;
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
