// Spectral's rules over docs/openapi.json, beside Redocly's in `npm run openapi:lint`. Its packages are pinned by a
// lockfile of their own and installed in a temporary folder, without running their programs: one of them would report
// the installation to its maker. Nothing is asked of anybody once they are there.
//   node test/harness/spectral.mjs
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { check, expect, finish } from './checks.mjs';
import { run } from './development.mjs';
import { INSTALL } from './packages.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-spectral-'));

async function lint(document) {
  const file = path.join(work, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  return run('node', ['lint.mjs', file], { cwd: work });
}

try {
  await cp(path.join(root, 'test/spectral'), work, { recursive: true });
  const [program, ...args] = INSTALL;
  const isInstalled = await check('its packages install', async () => {
    const { code, output } = await run(program, args, { cwd: work });
    expect(code === 0, output);
    return true;
  });
  if (isInstalled) {
    const document = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8'));
    await check('docs/openapi.json has no errors, warnings or hints', async () => {
      const { code, output } = await lint(document);
      process.stdout.write(output);
      expect(code === 0, 'there are problems');
    });
    await check('what is wrong is found', async () => {
      const { code, output } = await lint({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: {},
      });
      expect(code === 1 && output.includes('warning info-license: '), output);
    });
  }
} finally {
  await rm(work, { recursive: true, force: true });
  finish();
}
