import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mutate, MUTATIONS } from './mutations.js';

const SOURCES = path.resolve(import.meta.dirname, '../../src');

describe('a planted bug', () => {
  it.each(MUTATIONS)('matches a line of the sources: $name', async ({ file, text }) => {
    const source = await readFile(path.join(SOURCES, file.replace(/\.js$/, '.ts')), 'utf8');
    expect(source.split(text)).toHaveLength(2);
  });

  describe('in a copy of a build', () => {
    let folder: string;
    const mutation = { ...MUTATIONS[0]!, file: 'rule.js', text: 'if (sum > 0)', instead: 'if (true)' };

    async function build(rule: string): Promise<string> {
      const root = path.join(folder, 'root');
      await mkdir(path.join(root, 'dist/src'), { recursive: true });
      await writeFile(path.join(root, 'package.json'), '{}');
      await writeFile(path.join(root, 'dist/src/rule.js'), rule);
      return root;
    }

    beforeEach(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-mutation-'));
    });
    afterEach(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    it('changes one line of the copy, and nothing in the build itself', async () => {
      const root = await build('before; if (sum > 0) credit();');
      const mutated = await mutate(root, path.join(folder, 'mutated'), mutation);
      expect(await readFile(path.join(mutated, 'dist/src/rule.js'), 'utf8')).toBe(
        'before; if (true) credit();',
      );
      expect(await readFile(path.join(mutated, 'package.json'), 'utf8')).toBe('{}');
      expect(await readFile(path.join(root, 'dist/src/rule.js'), 'utf8')).toContain('sum > 0');
    });

    it.each([
      ['if (sum >= 0) credit();', 'holds "if (sum > 0)" 0 times, not once'],
      ['if (sum > 0) credit(); if (sum > 0) credit();', 'holds "if (sum > 0)" 2 times, not once'],
    ])('fails to be planted when the line is different: %s', async (rule, message) => {
      const root = await build(rule);
      await expect(mutate(root, path.join(folder, 'mutated'), mutation)).rejects.toThrow(message);
    });
  });
});
