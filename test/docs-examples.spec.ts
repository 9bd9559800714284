import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The other blocks need a running gateway: `test/harness/docs.mjs` types them each night. */
it('each example of an answer in the documents, and the diagram of states, is as the gateway has it', () => {
  const { status, stdout } = spawnSync(process.execPath, ['test/harness/docs.mjs', '--shown'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout.match(/^not ok.*\n.*/gm) ?? []]).toEqual([0, []]);
  expect(stdout).toMatch(/^\d{2,} passed, 0 failed$/m);
});
