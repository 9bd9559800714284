// Looks for secrets (keys of clouds and registries, tokens, passwords in addresses) in every file that git knows.
//   npm run secrets
//   npm run secrets -- --history    in every line that a commit of this clone has ever added, too
//   npm run secrets -- <folder>     in the files of a folder instead
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const program = path.join(root, 'node_modules/secretlint/bin/secretlint.js');
/** Bytes; all of this project's history is a tenth of it. */
const MAX_OUTPUT = 1024 ** 3;

function git(...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Writes what each commit added, a file per commit and path, and names them. */
function writeHistory(folder) {
  const commits = git(
    'log',
    '--all',
    '--patch',
    '--unified=0',
    '--no-renames',
    '--no-color',
    '--no-ext-diff',
    '--format=%x00%h',
  )
    .split('\0')
    .slice(1);
  for (const commit of commits) {
    const hash = commit.slice(0, commit.indexOf('\n'));
    for (const change of commit.split(/^diff --git /m).slice(1)) {
      const [, name] = /^\+\+\+ "?b\/(.+?)"?\t?$/m.exec(change) ?? [];
      const added = change.match(/^\+(?!\+\+ ).*$/gm);
      if (name === undefined || added === null) continue;
      const file = path.join(folder, hash, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, added.map((line) => line.slice(1)).join('\n'));
    }
  }
  console.log(`${commits.length} commits`);
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));

function scan(folder, files) {
  console.log(`${files.length} files`);
  const config = path.join(root, '.secretlintrc.json');
  const { status, error } = spawnSync(
    process.execPath,
    [program, '--no-glob', '--secretlintrc', config, ...files],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}

const [what] = process.argv.slice(2);
if (what === undefined || what === '--history') scan(root, git('ls-files', '-z').split('\0').filter(Boolean));
else scan(what, filesBelow(what));
if (what === '--history') {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-history-'));
  try {
    writeHistory(folder);
    scan(folder, filesBelow(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
