import { existsSync, readFileSync } from 'node:fs';

/** The version of package.json, read once. */
export const VERSION = readVersion();

/** The commit that this program was built from, by its first twelve digits; `unknown` if the build did not know. */
export const COMMIT = readCommit();

/** Written by scripts/build-web.mjs, at the same place beside the sources and beside the compiled program. */
function readCommit(): string {
  const file = new URL('../../../web/build/commit.txt', import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().slice(0, 12) : 'unknown';
}

/** package.json is three folders above the sources and four above the compiled program. */
function readVersion(): string {
  const file = ['../../../package.json', '../../../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new Error('package.json of the gateway was not found');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
