import { createRequire } from 'node:module';
import path from 'node:path';

/** npm names platforms otherwise than Node does. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The program anvil: the one named by the configuration, else of this platform's npm package, else
 * whatever "anvil" the PATH finds.
 */
export function locateAnvil(configured?: string): string {
  if (configured) return configured;
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  try {
    // The binary itself, not a wrapper: a wrapper that is killed leaves its anvil behind.
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return path.join(path.dirname(manifest), 'bin', 'anvil');
  } catch {
    return 'anvil';
  }
}

/** The message when anvil cannot be started on this machine. */
export function describeAnvilFailure(program: string, reason: string): string {
  return (
    `the development chain needs anvil, and "${program}" does not run: ${reason}. ` +
    'Run "npm ci" with optional dependencies, or install Foundry (https://getfoundry.sh), or name the ' +
    'program by ANVIL_BIN.'
  );
}
