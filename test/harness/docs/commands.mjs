// What a command of the documentation names must be there, whether or not the command can be run here: npm scripts,
// programs of ours, commands and options of the command line, services of compose.yaml, tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** One entry a command: continued lines are joined, comments and prefixes of environment are dropped. */
function commandsOf(text) {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/&&|;/))
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S* )+/, ''))
    .filter((command) => command !== '')
    .map((command) => command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []);
}

/** @returns what is wrong with a block of shell commands, a line each */
export function commandProblems(text) {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  if (status !== 0) return [stderr.trim()];
  const commands = commandsOf(text);
  const installed = commands.flatMap(installedBy);
  return commands.flatMap((words) => problemsOf(words, installed));
}

/** Packages that the block itself installs, by their names alone. */
function installedBy([program, verb, ...names]) {
  if (program !== 'npm' || verb !== 'install') return [];
  return names.filter((name) => !name.startsWith('-')).map((name) => name.replace(/(?<=.)@[^/]*$/, ''));
}

function problemsOf(words, installed = []) {
  const [program, ...args] = words;
  if (program === 'npm') return npmProblems(args);
  if (program === 'npx')
    return hasProgram(args[0]) || installed.includes(args[0]) ? [] : [`no program ${args[0]}`];
  if (program === 'node') return nodeProblems(args);
  if (program === 'docker') return composeProblems(args);
  if (program === 'helm') return helmProblems(args);
  return [];
}

/** Installed here, or by the client's package. */
function hasProgram(name) {
  const { bin } = JSON.parse(read('sdk/package.json'));
  return existsSync(path.join(root, 'node_modules/.bin', name)) || Object.hasOwn(bin, name);
}

function npmProblems(args) {
  const words = args.filter((word) => word !== '--silent');
  const folder = words[0] === '--prefix' ? words.splice(0, 2)[1] : '.';
  const { scripts = {} } = JSON.parse(read(path.join(folder, 'package.json')));
  const [command, name] = words;
  if (command === 'run') return Object.hasOwn(scripts, name) ? [] : [`package.json has no script ${name}`];
  if (command === 'start')
    return Object.hasOwn(scripts, command) ? [] : [`package.json has no script ${command}`];
  if (command === 'test') return testProblems(words.slice(2));
  return ['ci', 'prune', 'pack', 'install'].includes(command) ? [] : [`npm ${command} is not known here`];
}

/** Patterns of jest: each must find a test. */
function testProblems(patterns) {
  const tests = ['src', 'test', 'sdk/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => /(\.|-)spec\.ts$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  return patterns
    .filter((pattern) => !tests.some((test) => test.includes(pattern)))
    .map((pattern) => `no test ${pattern}`);
}

function nodeProblems([file, command, ...args]) {
  // Without a folder it is a file of the reader's own.
  if (file.startsWith('-') || !file.includes('/')) return [];
  const source = file.replace(/^dist\/(.*)\.js$/, '$1.ts');
  if (!existsSync(path.join(root, source))) return [`there is no ${source}`];
  if (source !== 'src/cli.ts' || command === undefined || command === '--help') return [];
  const usage = cliUsage();
  const options = args.filter((word) => word.startsWith('--'));
  return [command, ...options]
    .filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage))
    .map((word) => `the command line knows no ${word}`);
}

/** `helm upgrade --install <release> <chart> …` */
function helmProblems([verb, install, , chart]) {
  if (verb !== 'upgrade' || install !== '--install') return [`helm ${verb} ${install} is not known here`];
  return existsSync(path.join(root, chart, 'Chart.yaml')) ? [] : [`there is no chart in ${chart}`];
}

/** What the command line says of itself. */
function cliUsage() {
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'dist/src/cli.js'), '--help'], {
    encoding: 'utf8',
  });
  return stdout + stderr;
}

/** `docker compose [-f <file>] exec [-T] <service> <command…>` and its siblings. */
function composeProblems([compose, ...words]) {
  if (compose !== 'compose') return [`docker ${compose} is not known here`];
  const file = words[0] === '-f' ? words.splice(0, 2)[1] : 'compose.yaml';
  if (!existsSync(path.join(root, file))) return [`there is no ${file}`];
  const [verb, ...args] = words;
  if (!['up', 'ps', 'logs', 'exec', 'run', 'stop'].includes(verb))
    return [`docker compose ${verb} is not known here`];
  const { services } = parse(read(file));
  if (verb === 'stop' || verb === 'run')
    return args
      .filter((word) => word !== '--rm')
      .filter((service) => !Object.hasOwn(services, service))
      .map((service) => `${file} has no ${service}`);
  if (verb !== 'exec') return [];
  const [service, ...command] = args.filter((word) => word !== '-T');
  return [...(Object.hasOwn(services, service) ? [] : [`${file} has no ${service}`]), ...problemsOf(command)];
}
