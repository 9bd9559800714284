import { existsSync, readFileSync } from 'node:fs';

/** The version of package.json, read once. */
export const VERSION = readVersion();

/** package.json is two folders above the sources and three above the compiled program. */
function readVersion(): string {
  const file = ['../../package.json', '../../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new Error('package.json of the gateway was not found');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
