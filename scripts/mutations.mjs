// Plants mistakes (test/mutations/), one at a time, and says which test notices each, and after how many seconds.
//   npm run mutations                      all of them, with the tests that are near (scripts/choose-tests.mjs)
//   npm run mutations -- --only=web/       those of some files
//   npm run mutations -- --wide            what no near test notices, with the whole suite
//   npm run mutations -- --shard=1/2 --report=<file>
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { chooseTests, isSpec } from './choose-tests.mjs';
import { MUTATIONS, mutationProblems, mutationRow, plant, stagesOf, TABLE_HEAD } from './mutation-rules.mjs';
import { jestArguments, readRepository } from './test-changed.mjs';

const root = path.resolve(import.meta.dirname, '..');
const work = mkdtempSync(path.join(os.tmpdir(), 'mutations-'));
const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
const read = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
/** One file alone does not know that the package is of ES modules. */
const compilerOptions = { ...read.options, module: ts.ModuleKind.ESNext, moduleResolution: undefined };
/** Seconds; a mistake can make a test wait for good. */
const secondsFor = (specs) => 200 + 20 * specs.length;

/** The mistake that is in the tree now, and how to take it out. */
let planted = null;
let running = null;

function restore() {
  if (planted) {
    writeFileSync(planted.path, planted.text);
    rebuild(planted.file);
  }
  planted = null;
}

/** After a file was changed: tests run what is built of it. One file of the server takes a moment, all else a build. */
function rebuild(file) {
  if (!/^(src|migrations)\/.+\.ts$/.test(file)) {
    spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'ignore' });
    return;
  }
  const text = readFileSync(path.join(root, file), 'utf8');
  const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: file });
  writeFileSync(path.join(root, 'dist', file.replace(/\.ts$/, '.js')), outputText);
}

/** Jest builds the pages and migrates a database before each run; but for migrations once is enough. */
function setupOf(file) {
  const none = './test/mutations/no-setup.mjs';
  return file.startsWith('migrations/') ? [] : ['--globalSetup', none, '--globalTeardown', none];
}

/** The first test of these that fails; null: none does. */
async function firstFailure(args, seconds) {
  const result = path.join(work, 'result.json');
  rmSync(result, { force: true });
  const env = { ...process.env, MUTATION_RESULT: result };
  // A group of its own, so that nodes and browsers of a test that is cut off end with it.
  running = spawn('npm', args, { cwd: root, env, stdio: 'ignore', detached: true });
  const { pid } = running;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endGroup(pid);
  }, seconds * 1_000);
  const code = await new Promise((resolve) => running.on('exit', resolve));
  clearTimeout(timer);
  endGroup(pid);
  running = null;
  if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'));
  if (isOver) return { spec: args.at(-1), title: `not done within ${seconds} s` };
  if (code !== 0) throw new Error(`npm ${args.join(' ')}: exit code ${code} without a test that failed`);
  return null;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Plants one mistake and looks for the test that notices it. */
async function tryMutation(mutation, { isWide, repository }) {
  const file = path.join(root, mutation.file);
  const text = readFileSync(file, 'utf8');
  planted = { path: file, text, file: mutation.file };
  writeFileSync(file, plant(mutation, text));
  rebuild(mutation.file);
  const near = chooseTests({ changed: [mutation.file], ...repository }).chosen.map(({ spec }) => spec);
  const far = isWide ? [...repository.texts.keys()].filter(isSpec) : [];
  const reporter = ['-i', '--reporters', './test/mutations/first-failure.mjs', ...setupOf(mutation.file)];
  const start = performance.now();
  let noticed = null;
  for (const specs of stagesOf(mutation, near, far))
    noticed ??= await firstFailure(jestArguments(specs, reporter), secondsFor(specs));
  restore();
  return { mutation, noticed, seconds: Math.round((performance.now() - start) / 1_000) };
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    wide: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
const [part, parts] = options.shard.split('/').map(Number);
const repository = readRepository();
const problems = mutationProblems(MUTATIONS, repository.texts);
if (problems.length > 0) throw new Error(problems.join('\n'));
const chosen = MUTATIONS.filter(({ file }) => file.includes(options.only)).filter(
  (_, at) => at % parts === part - 1,
);

rebuild('web/');
const { startTestServer } = await import('../test/support/test-server.ts');
const server = await startTestServer();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (running) endGroup(running.pid);
    restore();
    void server.stop().finally(() => process.exit(130));
  });
const rows = [];
try {
  for (const mutation of chosen) {
    const row = mutationRow(await tryMutation(mutation, { isWide: options.wide, repository }));
    rows.push(row);
    console.log(row);
    if (options.report) writeFileSync(options.report, [...TABLE_HEAD, ...rows, ''].join('\n'));
  }
} finally {
  restore();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
const unnoticed = rows.filter((row) => row.includes('| **nobody**')).length;
console.log(`${rows.length} mistakes, ${unnoticed} of them noticed by nobody`);
process.exitCode = unnoticed > 0 ? 1 : 0;
