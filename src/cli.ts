import 'reflect-metadata';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Options, parseCommandLine, type Terminal, UsageError } from './cli/command.js';
import { type CommandName, isCommandName, optionsOf, USAGE } from './cli/usage.js';
import { ConfigError, environment as ownEnvironment, loadConfig } from './config.js';
import { problemsOf, refuseDevelopment } from './env-file.js';
import { isTransient } from './platform/database/database-errors.pure.js';
import { GatewayError } from './platform/kernel/errors/errors.pure.js';
import { redactText } from './platform/kernel/redaction.pure.js';

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
  const { readRunningEnvironment } = await import('./demo/running-environment.js').catch(refuseDevelopment);
  return readRunningEnvironment(own);
}

async function run(args: string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const command = readCommand(args);
  if (!command) {
    terminal.write(USAGE);
    return 0;
  }
  const { name, options } = command;
  // What they need of the gateway takes seconds to load; a mistake is answered without it.
  if (name === 'doctor') {
    const { doctor } = await import('./cli/doctor.js');
    return doctor(async () => loadConfig(await environmentOf(environment)), options, terminal);
  }
  const variables = await environmentOf(environment);
  const { runCommand } = await import('./cli/commands.js');
  return runCommand(name, options, variables, terminal, runCli);
}

/** One problem is one line. */
const textOf = (problems: string[]) =>
  problems.length === 1 ? String(problems[0]) : new ConfigError(problems).message;

const codeOf = (error: Error) => ('code' in error ? String(error.code) : error.name);

/** Expected errors: the message contains the remedy, and a stack trace would not help. */
function isExpected(error: Error): boolean {
  if ([UsageError, ConfigError, GatewayError].some((type) => error instanceof type)) return true;
  // Also errors of connections, files and the development profile, as in main.ts.
  return 'code' in error || isTransient(error);
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
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    const message = error instanceof ConfigError ? textOf(problemsOf(error)) : error.message;
    // A failed connection to several addresses of a host has no message, only a code.
    terminal.writeError(`${redactText(message || codeOf(error))}\n`);
    if (!(error instanceof UsageError)) return 1;
    terminal.writeError(`\n${USAGE}`);
    return 2;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const code = await runCli(process.argv.slice(2), ownEnvironment, {
    input: process.stdin,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
  // Once everything is printed: a command that could not start leaves connections open, which keep the process.
  process.stdout.write('', () => process.exit(code));
}
