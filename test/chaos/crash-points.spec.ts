import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CRASH_MUTATIONS } from './mutations.js';
import { FAILPOINTS, crashPointOf } from './crash-points.js';

const SOURCES = path.resolve(import.meta.dirname, '../../src');

async function readSources(): Promise<string> {
  const files = await readdir(SOURCES, { recursive: true });
  const code = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  return (await Promise.all(code.map((name) => readFile(path.join(SOURCES, name), 'utf8')))).join('\n');
}

describe('failpoints', () => {
  it('occur exactly once each in the sources, and no other one occurs', async () => {
    const calls = (await readSources()).matchAll(/\bfailpoint\('([^']+)'\)/g);
    const names = [...calls].map(([, name]) => name);
    expect(names).toHaveLength(FAILPOINTS.length);
    expect(new Set(names)).toEqual(new Set(FAILPOINTS));
  });

  it.each(CRASH_MUTATIONS)('a planted bug matches a line of the sources: $name', async ({ file, text }) => {
    const source = await readFile(path.join(SOURCES, file.replace(/\.js$/, '.ts')), 'utf8');
    expect(source.split(text)).toHaveLength(2);
  });

  it.each(CRASH_MUTATIONS)(
    'a planted bug is in a process that is killed there: $name',
    ({ failpoint, role }) => {
      expect(crashPointOf(failpoint).roles).toContain(role);
    },
  );
});
