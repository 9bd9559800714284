import { existsSync, readFileSync } from 'node:fs';

/** The version of package.json, read once. */
export const VERSION = readVersion();

/** package.json is three folders above the sources and four above the compiled program. */
function readVersion(): string {
  const file = ['../../../package.json', '../../../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new Error('package.json of the gateway was not found');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
