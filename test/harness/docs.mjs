// Every code block of the documentation: commands are typed, in one shell a document, beside a running development
// profile; programs are run; whatever else is shown is compared with the gateway. docs/plan.mjs says what becomes of
// which block, and one that it does not know is a failure. Ends with the table.
//   npm run build && node test/harness/docs.mjs [part of a document's name]
//   node test/harness/docs.mjs --shown        examples of answers, and diagrams, alone: nothing is started
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { check, expect, finish } from './checks.mjs';
import { listBlocks } from './docs/blocks.mjs';
import { commandProblems } from './docs/commands.mjs';
import { DOCUMENTS } from './docs/plan.mjs';
import { Shell } from './docs/shell.mjs';
import { awaitWorld, closeHarness, openHarness } from './docs/setup.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const SHOWN = '--shown';
/** Languages of blocks that are compared with the code alone. */
const SHOWN_IN = ['json', 'mermaid'];
const arguments_ = process.argv.slice(2);
const isShownAlone = arguments_.includes(SHOWN);
const [only = ''] = arguments_.filter((argument) => argument !== SHOWN);

/** Every document that people read, whether or not the plan knows it. */
function listDocuments() {
  const below = (folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name));
  const atTop = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...atTop, ...below('docs'), 'sdk/README.md'];
}

/** Each block with what the plan says of it; throws where the two do not fit together. */
async function planned(file) {
  const blocks = listBlocks(await readFile(path.join(root, file), 'utf8'));
  const plan = DOCUMENTS[file]?.blocks ?? [];
  const found = blocks.map((block) => {
    const entries = plan.filter(({ text }) => block.text.includes(text));
    const where = `${file}:${block.line}`;
    expect(entries.length > 0, `${where}: test/harness/docs/plan.mjs does not know this block`);
    expect(
      entries.length === 1,
      `${where}: ${entries.map(({ text }) => text).join(' and ')} both claim this block`,
    );
    expect(
      entries[0].languages.includes(block.language),
      `${where}: it is "${block.language}", not ${entries[0].languages}`,
    );
    return { ...block, file, where, entry: entries[0] };
  });
  const lost = plan.filter((entry) => !found.some((block) => block.entry === entry));
  expect(lost.length === 0, `${file} has no block with ${lost.map(({ text }) => text).join(', ')}`);
  expect(found.length === plan.length, `${file}: a line of the plan names two blocks`);
  return found;
}

const rows = [];
const noted = (block, result) => rows.push([block.where, block.language, result]);

async function runDocument(file, blocks, harness) {
  const setup = DOCUMENTS[file].setup ?? (() => ({}));
  const own = await check(`${file}: what its reader has already`, () => setup(harness));
  const env = { ...harness.env, ...own };
  const folder = path.join(harness.work, 'steps', file.replaceAll('/', '-'));
  await mkdir(folder, { recursive: true });
  const shell = new Shell({ cwd: harness.clone, env, folder });
  let isBroken = false;
  for (const block of blocks) {
    const result = await check(`${block.where} ${block.language}: ${titleOf(block)}`, async () => {
      expect(block.entry.kind !== 'shell' || !isBroken, 'not reached: the shell has ended');
      return tryBlock(block, harness, shell);
    });
    if (result === undefined && block.entry.kind === 'shell') isBroken = true;
    noted(block, result ?? 'FAILED');
  }
  await shell.close();
}

const titleOf = ({ text }) => text.split('\n')[0].slice(0, 60);

async function tryBlock(block, harness, shell) {
  const { entry } = block;
  if (entry.kind === 'shell') return typeBlock(block, harness, shell);
  if (entry.kind === 'elsewhere') return checkElsewhere(block);
  const said = await entry.check(block, harness);
  if (entry.kind === 'run') return `run: ${said}`;
  return `checked${said ? ` ${said}` : ''}${entry.why ? `, not run: ${entry.why}` : ''}`;
}

async function typeBlock({ text, entry }, harness, shell) {
  const problems = commandProblems(text);
  expect(problems.length === 0, problems.join('\n'));
  await entry.before?.(harness, shell);
  const output = await shell.run(text);
  for (const sign of entry.prints) expect(sign.test(output), `no ${sign} in:\n${output}`);
  return text.includes('docker compose exec') ? 'run outside of a container: no container engine' : 'run';
}

/** CI must really run what the plan relies on. */
async function checkElsewhere({ text, language, entry: { by } }) {
  const ci = await readFile(path.join(root, '.ci/run'), 'utf8');
  const isInCi = ci.includes(by) || (/-?spec\.ts$/.test(by) && ci.includes('npm test'));
  expect(isInCi, `.ci/run does not run ${by}`);
  expect(by.startsWith('npm ') || existsSync(path.join(root, by)), `there is no ${by}`);
  const problems = language === 'sh' ? commandProblems(text) : [];
  expect(problems.length === 0, problems.join('\n'));
  return `run by ${by}`;
}

function printTable() {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(
    ([where, language, result]) => `${where.padEnd(widths[0])}  ${language.padEnd(widths[1])}  ${result}`,
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  const kinds = {};
  for (const [, , result] of rows) {
    const kind = /^(run by|run|checked|FAILED)/.exec(result)[1];
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  const parts = Object.entries(kinds).map(
    ([kind, count]) => `${count} ${kind === 'run by' ? 'run elsewhere' : kind}`,
  );
  process.stdout.write(`${rows.length} code blocks: ${parts.join(', ')}\n`);
}

/** The blocks of every document, if the plan knows them all. */
async function readDocuments() {
  const documents = new Map();
  await check('every code block of the documentation is known', async () => {
    const problems = [];
    for (const file of listDocuments())
      await planned(file).then(
        (blocks) => documents.set(file, blocks),
        (error) => problems.push(error.message),
      );
    expect(problems.length === 0, problems.join('\n'));
    const lost = Object.keys(DOCUMENTS).filter((file) => !documents.has(file));
    expect(lost.length === 0, `there is no ${lost.join(', ')}`);
  });
  return documents;
}

async function compareShown() {
  for (const [file, blocks] of await readDocuments())
    for (const block of blocks.filter(({ language }) => file.includes(only) && SHOWN_IN.includes(language)))
      await check(`${block.where} ${block.language}: ${titleOf(block)}`, () => block.entry.check?.(block));
}

async function main(harness) {
  const documents = await readDocuments();
  const isUp = await check('the development profile runs in a copy of the repository', async () => {
    await awaitWorld(harness);
    return true;
  });
  if (!isUp) return;
  for (const file of Object.keys(DOCUMENTS))
    if (documents.has(file) && file.includes(only)) await runDocument(file, documents.get(file), harness);
}

if (isShownAlone) {
  await compareShown();
  finish();
} else {
  const harness = await openHarness();
  try {
    await main(harness);
  } finally {
    await closeHarness(harness);
    if (rows.length > 0) printTable();
    finish();
  }
}
