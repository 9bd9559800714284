// Runs the tests that a change is most likely to break, in a minute or two. How they are chosen: scripts/choose-tests.mjs.
//   npm run test:changed                 what differs from main, the working tree included
//   npm run test:changed -- HEAD~3       … from another commit
//   npm run test:changed -- --list       without running it
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { chooseTests } from './choose-tests.mjs';

const root = path.resolve(import.meta.dirname, '..');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const lines = (text) => text.split('\n').filter((line) => line !== '');

/** The repository as chooseTests needs it. */
export function readRepository() {
  const files = lines(git('ls-files', '--cached', '--others', '--exclude-standard')).filter(
    (file) => /\.(m?ts|tsx|mjs|css|sql)$/.test(file) && existsSync(path.join(root, file)),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  const imports = new Map();
  for (const [file, text] of texts) {
    if (/\.(css|sql)$/.test(file)) continue;
    const { importedFiles } = ts.preProcessFile(text, true, true);
    const targets = importedFiles.map(({ fileName }) => resolveImport(file, fileName, texts));
    imports.set(
      file,
      targets.filter((target) => target !== null),
    );
  }
  return { texts, imports };
}

/** "./x.js" is "./x.ts" or "./x.tsx"; packages are not followed. */
function resolveImport(from, name, texts) {
  if (!name.startsWith('.')) return null;
  const target = path.posix.join(path.posix.dirname(from), name);
  const sources = ['.ts', '.tsx'].map((extension) => target.replace(/\.js$/, extension));
  return [...sources, target].find((file) => texts.has(file)) ?? null;
}

/** Of npm, to run these test files, those for the browser among them. */
export function jestArguments(specs, options = []) {
  const everywhere = ['--testPathIgnorePatterns', '/node_modules/'];
  return ['test', '--', ...everywhere, ...options, '--runTestsByPath', ...specs];
}

function main() {
  const args = process.argv.slice(2);
  const base = args.find((arg) => !arg.startsWith('-')) ?? git('merge-base', 'HEAD', 'main').trim();
  const changed = [
    ...lines(git('diff', '--name-only', base)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ];
  const { chosen, left, unknown } = chooseTests({ changed, ...readRepository() });
  for (const { spec, reason } of chosen) console.log(`${spec}: ${reason}`);
  for (const file of unknown) console.log(`${file}: no test is near`);
  console.log(
    `${chosen.length} test files; ${left} that are farther away, and all others, are left to npm test`,
  );
  if (chosen.length === 0 || args.includes('--list')) return;
  const options = jestArguments(chosen.map(({ spec }) => spec));
  process.exitCode = spawnSync('npm', options, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
