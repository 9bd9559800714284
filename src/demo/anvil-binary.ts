import { createRequire } from 'node:module';
import path from 'node:path';

/** Architectures as the npm packages name them, by Node's names. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The path of anvil: as configured, or else of this platform's npm package, or else "anvil" of the PATH.
 */
export function locateAnvil(configured?: string): string {
  if (configured) return configured;
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  try {
    // The binary rather than a wrapper script: killing a wrapper would leave anvil running.
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
