import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const CANNOT = 'cannot build: run "npm ci" with development dependencies first';

/** `npm run cli` and its kind, where development packages were removed after the build, as the documentation does. */
describe('scripts/start.mjs without development packages', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'installed-'));
    for (const file of ['package.json', 'scripts/start.mjs', 'scripts/build.mjs'])
      cpSync(path.join(root, file), path.join(folder, file));
    // Newer than what was built from it, and without an output of its own, as after `npm run bundle`.
    write('src/users.ts', '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }

  const start = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/start.mjs', ...words], { cwd: folder, encoding: 'utf8' });

  it('runs the program that was built, with its arguments, and builds nothing', () => {
    write('dist/src/cli.js', 'process.stdout.write(process.argv.slice(2).join());');
    expect(start('cli', 'verify', '--full')).toMatchObject({
      status: 0,
      stdout: 'verify,--full',
      stderr: '',
    });
  });

  it('says what is missing when the program was not built', () => {
    const { status, stderr } = start('demo/faucet/pay');
    expect([status, stderr]).toEqual([1, expect.stringContaining(CANNOT)]);
  });
});
