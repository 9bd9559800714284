// Compares docs/openapi.json with what was promised before: with the last release (tag v*), and with the last
// committed document that differs from it. A break is declared in openapi-breaks.json, with its reason.
//   npm run openapi:breaking
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { breakingChanges } from '../test/support/contract/breaking-changes.ts';

const DOCUMENT = 'docs/openapi.json';
const ALLOWED = 'scripts/openapi-breaks.json';
const root = path.resolve(import.meta.dirname, '..');

function git(...args) {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}

/** Commits that hold another document than `current`: the newest one, and the last release's. */
function baselines(current) {
  const differs = (commit) => JSON.stringify(documentAt(commit)) !== JSON.stringify(current);
  const [newest] = git('log', '--first-parent', '--format=%h', '--', DOCUMENT)
    .split('\n')
    .filter(Boolean)
    .filter(first(differs));
  const [release] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname')
    .split('\n')
    .filter(Boolean);
  const holds = (tag) => git('ls-tree', '--name-only', tag, '--', DOCUMENT) !== '';
  return [newest, release && holds(release) ? release : undefined].filter(Boolean);
}

/** Lets only the first match pass, and asks for no more after it. */
function first(matches) {
  let isFound = false;
  return (item) => !isFound && (isFound = matches(item));
}

function documentAt(commit) {
  return JSON.parse(git('show', `${commit}:${DOCUMENT}`));
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

const current = readJson(DOCUMENT);
const allowed = readJson(ALLOWED);
const unreasoned = allowed.filter(({ change, reason }) => !change || !reason);
if (unreasoned.length > 0) throw new Error(`${ALLOWED}: every entry has a change and a reason`);

let commits = [];
try {
  commits = baselines(current);
  if (commits.length === 0) console.log(`Not compared: no earlier ${DOCUMENT} in the history.`);
} catch (error) {
  console.log(
    `Not compared: no git history here (${
      String(error.stderr || error.message)
        .trim()
        .split('\n')[0]
    }).`,
  );
}

/** An entry that begins with `*` declares every change that ends like it. */
const reasonOf = (change) =>
  allowed.find(({ change: known }) =>
    known.startsWith('*') ? change.endsWith(known.slice(1)) : change === known,
  )?.reason;
let isBroken = false;
for (const commit of commits) {
  const changes = breakingChanges(documentAt(commit), current);
  const undeclared = changes.filter((change) => !reasonOf(change));
  for (const change of changes)
    if (reasonOf(change)) console.log(`declared: ${change} (${reasonOf(change)})`);
  for (const change of undeclared) console.error(`breaks clients since ${commit}: ${change}`);
  if (undeclared.length === 0) console.log(`Nothing undeclared breaks clients of ${commit}.`);
  isBroken ||= undeclared.length > 0;
}
if (isBroken) {
  console.error(`Undo the change, or declare it in ${ALLOWED} with the reason.`);
  process.exitCode = 1;
}
