import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(root, 'node_modules/typescript/bin/tsc');

/** A user's project with the client installed as npm packs it, built from the sources. */
export interface SdkProject {
  folder: string;
  /** The client's files, as `npm pack` lists them. */
  packed: string[];
  /** The installed package. */
  installed: string;
  /** The TypeScript compiler, on files of the project. @throws Error with its complaints */
  compile(...args: string[]): Promise<void>;
  remove(): Promise<void>;
}

export async function installSdk(): Promise<SdkProject> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-sdk-'));
  const compile = async (...args: string[]) => {
    await run(process.execPath, [TSC, ...args], { cwd: folder }).catch(
      (error: Error & { stdout?: string }) => {
        throw new Error(error.stdout || error.message);
      },
    );
  };
  // A copy: other tests may build at the same time, and sdk/dist stays unchanged.
  const source = path.join(folder, 'sdk');
  await cp(path.join(root, 'sdk'), source, { recursive: true, filter: (file) => !/[\\/]dist$/.test(file) });
  await compile('-p', path.join(source, 'tsconfig.json'));
  const bundle = path.join(root, 'scripts/bundle-derivation.mjs');
  await run(process.execPath, [bundle, path.join(source, 'dist')]);
  const packed = await listPacked(source);

  const modules = path.join(folder, 'node_modules');
  const installed = path.join(modules, 'crypto-payment-gateway-client');
  await mkdir(modules);
  for (const file of packed) await cp(path.join(source, file), path.join(installed, file));
  for (const name of ['express', '@types'])
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  return { folder, packed, installed, compile, remove: () => rm(folder, { recursive: true }) };
}

async function listPacked(source: string): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: source });
  const [pack] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return pack.files.map((file) => file.path).sort();
}
