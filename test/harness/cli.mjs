// The command line as a newcomer uses it: every command that its help lists, beside a running development profile and
// without any environment; again with nothing running, and with a wrong option. Also how `npm start` refuses.
//   node test/harness/cli.mjs
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { check, expect, finish, isAlive, killProcesses, listProcesses, until } from './checks.mjs';
import { announced, freePort, run, spawnGateway } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-cli-'));
// As root, Postgres runs as another user, who must pass through.
await chmod(work, 0o711);
const dataDir = path.join(work, 'data');

const EMAIL = 'clerk@example.test';
const CALLBACK = 'https://shop.example/callback';
/** How each command succeeds, in an order in which all of them can; a command of the help without a line here fails. */
const EXAMPLES = [
  ['create-user', '--email', EMAIL],
  ['users'],
  ['reset-password-link', '--email', EMAIL],
  ['set-operator', '--email', EMAIL],
  ['set-operator', '--email', EMAIL, '--revoke'],
  ['disable-user', '--email', EMAIL],
  ['enable-user', '--email', EMAIL],
  ['restore-user', '--email', EMAIL],
  ['disable-two-factor', '--email', EMAIL],
  ['create-oauth-client', '--name', 'Till', '--user', EMAIL],
  ['rotate-oauth-client', '--client-id', null],
  ['create-oauth-client', '--name', 'Back office', '--redirect-uri', CALLBACK],
  ['list-oauth-clients'],
  ['revoke-oauth-client', '--client-id', null],
  ['export-account', '--user', EMAIL, '--to', path.join(work, 'account')],
  ['transfer-account', '--user', EMAIL, '--to', 'clerk.two@example.test'],
  ['disable-user', '--email', 'clerk.two@example.test'],
  ['erase-user', '--user', 'clerk.two@example.test'],
  ['migrate'],
  ['reseal-secrets'],
  ['instruction-key'],
  ['after-restore', '--skip', '3'],
  ['resume-chain', '--chain', 'ethereum'],
  ['replay-webhooks', '--since', '2026-01-15T10:00:00Z'],
  ['rescan', '--chain', 'ethereum', '--from', '0'],
  ['rescan', '--chain', 'ethereum', '--from', '0', '--to', '0'],
  ['set-start-height', '--chain', 'ethereum', '--height', '0'],
  ['verify'],
  ['verify', '--json'],
  ['verify', '--full'],
  ['verify:audit'],
  ['verify:audit', '--investigated', '0'],
  ['doctor'],
  ['doctor', '--json'],
];
/**
 * What needs more than a newcomer has: a payment (test/operator-cli.e2e-spec.ts), and pg_dump of the development
 * profile's version (test/harness/restore.mjs).
 */
const ELSEWHERE = ['payment', 'restore-drill'];

const cli = (args, env = {}) =>
  run('npm', ['run', '--silent', 'cli', '--', ...args], { cwd: root, env: { DATA_DIR: dataDir, ...env } });
const script = (name, env = {}) =>
  run('npm', ['run', '--silent', name], { cwd: root, env: { DATA_DIR: dataDir, ...env } });

function expectNoStack(output) {
  expect(!/^ +at .+:\d+/m.test(output), `a stack:\n${output}`);
}

async function listCommands() {
  const { code, output } = await cli(['--help']);
  expect(code === 0, output);
  const commands = new Set([...output.matchAll(/^ {2}([a-z][\w:-]*)/gm)].map(([, name]) => name));
  const tried = new Set([...EXAMPLES.map(([name]) => name), ...ELSEWHERE]);
  expect(commands.size >= 13, `${commands.size} commands`);
  for (const name of commands) expect(tried.has(name), `${name} has no line in EXAMPLES`);
  for (const name of tried) expect(commands.has(name), `the help does not list ${name}`);
  return [...commands];
}

/** Failures of several in one message. */
async function each(list, work) {
  const problems = [];
  for (const one of list) await work(one).catch((error) => problems.push(error.message));
  expect(problems.length === 0, problems.join('\n'));
}

const checkNothingRuns = (commands) =>
  each(commands, async (name) => {
    const { code, output } = await cli([name]);
    expect(
      code === 1 && output.includes('start it first: npm start'),
      `${name}: exit code ${code}\n${output}`,
    );
    // The OpenID library remarks on Node 20.
    const lines = output.split('\n').filter((line) => line && !line.startsWith('oidc-provider WARNING'));
    expect(lines.length === 1, `${name}: not one line\n${output}`);
  });

/** Never more than what is wrong, and the usage, on standard error. */
const checkUsage = (commands) =>
  each(['create-money', ...commands], async (name) => {
    const { code, output } = await cli([name, '--colour']);
    expect(code === 2 && output.includes('Usage: '), `${name}: exit code ${code}\n${output}`);
    expectNoStack(output);
  });

async function checkCommands() {
  let clientId;
  await each(EXAMPLES, async (example) => {
    const args = example.map((argument) => argument ?? clientId);
    const { code, output } = await cli(args);
    expect(code === 0, `${args.join(' ')}: exit code ${code}\n${output}`);
    expectNoStack(output);
    clientId = /^client id: +(\S+)$/m.exec(output)?.[1] ?? clientId;
    const json = args.includes('--json') && output.split('\n').filter((line) => /^[{[]/.test(line));
    if (json) JSON.parse(json[0] ?? `nothing of it is JSON: ${output}`);
  });
}

async function checkScripts() {
  await each(['verify', 'verify:audit'], async (name) => {
    const { code, output } = await script(name);
    expect(code === 0, `npm run ${name}: exit code ${code}\n${output}`);
  });
}

async function checkProduction() {
  const { code, output } = await cli(['list-oauth-clients'], { NODE_ENV: 'production' });
  expect(code === 1 && output.includes('DATABASE_URL: is required'), `exit code ${code}\n${output}`);
}

async function checkTakenPort(port) {
  const { code, output } = await run('npm', ['start'], {
    cwd: root,
    env: { PORT: String(port), DATA_DIR: path.join(work, 'second') },
  });
  expect(code === 1 && output.includes(`Port ${port} of 127.0.0.1 is taken`), `exit code ${code}\n${output}`);
  expectNoStack(output);
  expect(!existsSync(path.join(work, 'second', 'postgres')), 'something was set up before the refusal');
}

/** This Node under another number; the file itself is kept to what Node 14 understands. */
async function checkOldNode() {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.4'})`;
  const { code, output } = await run('node', ['--import', pretend, 'scripts/start.mjs'], { cwd: root });
  expect(
    code === 1 && output === 'Node.js 20.19 or newer is needed; this is 18.20.4.\n',
    `exit code ${code}\n${output}`,
  );
}

async function checkKilled({ facts, exited }) {
  process.kill(facts.pid, 'SIGKILL');
  await exited;
  await until('its end', async () => !(await isAlive(facts.pid)));
  await checkNothingRuns(['verify']);
}

try {
  const commands = await check('its help lists what is tried here', listCommands);
  await check('with nothing running, each says to start it first', () => checkNothingRuns(commands));
  await check('with nothing running, the restore drill says so too', async () => {
    const { code, output } = await script('restore:drill');
    expect(code === 1 && output.includes('start it first: npm start'), output);
    expectNoStack(output);
  });
  await check('a wrong option is a usage error of each', () => checkUsage(commands));
  await check('an old Node is refused in words', checkOldNode);
  const port = await freePort();
  const gateway = await spawnGateway({
    cwd: root,
    env: { PORT: String(port), DATA_DIR: dataDir },
    logFile: path.join(work, 'start.log'),
    factsFile: path.join(dataDir, 'demo.json'),
  });
  if (await check('the gateway starts', () => announced(gateway))) {
    await check('each command succeeds beside it', checkCommands);
    await check('so do those with a script of their own', checkScripts);
    await check('production never looks for it', checkProduction);
    await check('a second start on its port is refused before anything is set up', () =>
      checkTakenPort(port),
    );
    await check('once it is killed, a command says to start it first', () => checkKilled(gateway));
  }
} finally {
  await killProcesses(work);
  const left = await listProcesses(work);
  await check('no process is left', async () => expect(left.length === 0, JSON.stringify(left)));
  await rm(work, { recursive: true, force: true });
  finish();
}
