// Fails on a citation that leads nowhere: a page, a heading, a path or a decision record that is not in the repository.
// What counts as a citation: scripts/citations.mjs.
//   npm run citations
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkCitations } from './citations.mjs';

const root = path.resolve(import.meta.dirname, '..');
/** Not prose, or made-up citations on purpose; they may be cited all the same. */
const UNREAD = /(?:^|\/)package-lock\.json$|\.(?:png|svg|ico|woff2?)$|^test\/citations\.spec\.ts$/;

const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = new Map(
  names
    .split('\0')
    .filter(
      (file) => file !== '' && existsSync(path.join(root, file)) && statSync(path.join(root, file)).isFile(),
    )
    .map((file) => [file, UNREAD.test(file) ? null : readFileSync(path.join(root, file), 'utf8')]),
);
const { homepage } = JSON.parse(files.get('package.json'));
const { count, dead } = checkCitations(files, homepage);
for (const line of dead) console.error(line);
console.log(`${count} citations in ${files.size} files, ${dead.length} of them dead`);
process.exitCode = dead.length > 0 ? 1 : 0;
