// The project's packages in another folder.
import path from 'node:path';
import { run } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');
export const INSTALL = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs them as {@link INSTALL} does. CI has just run it in the project, and says so by `PACKAGES_INSTALLED`: then
 * its very files are linked, which spares most of a minute.
 */
export async function installPackages(folder, env = {}) {
  const isDone = process.env.PACKAGES_INSTALLED === '1';
  const copy = [path.join(root, 'node_modules'), folder];
  const linked = isDone && (await run('cp', ['-al', ...copy], { cwd: folder, env })).code === 0;
  // Another file system has no links to this one.
  const [program, ...args] = isDone ? ['cp', '-a', ...copy] : INSTALL;
  const { code, output } = linked ? { code: 0, output: '' } : await run(program, args, { cwd: folder, env });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit code ${code}\n${output}`);
}
