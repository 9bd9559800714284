import { type Options, required, type Terminal, UsageError } from './command.js';
import type { Config } from '../config.js';
import { verifyArchive } from '../operations/archive/archive-file.js';
import { archiveKeysOf } from '../operations/archive/archive-keys.js';
import { presentManifest } from '../operations/archive/manifest-view.pure.js';
import { Keyring } from '../platform/kernel/keyring.js';
import { type PublicSigningKey, publicSigningKeyOf } from '../platform/kernel/signing-key.pure.js';

/**
 * Needs no database, and with --key no configuration either. Returns the exit code.
 * @param loadKeys is only called without --key
 */
export async function checkArchive(
  loadKeys: () => Promise<Pick<Config, 'appKeys'>>,
  { file, key }: Options,
  terminal: Terminal,
): Promise<number> {
  const keys = key === undefined ? await derivedKeys(loadKeys) : [readKey(key)];
  const result = await verifyArchive(required(file, 'file'), keys);
  if ('problem' in result) {
    terminal.writeError(`the archive does not hold: line ${result.line} ${result.problem}\n`);
    return 1;
  }
  terminal.write(presentManifest(result));
  return 0;
}

async function derivedKeys(load: () => Promise<Pick<Config, 'appKeys'>>): Promise<PublicSigningKey[]> {
  const { appKeys } = await load();
  return archiveKeysOf(new Keyring(appKeys)).map((key) => key.public);
}

/** @throws UsageError */
function readKey(text: string): PublicSigningKey {
  // 32 bytes.
  if (!/^[\w-]{43}$/.test(text))
    throw new UsageError('--key must be the public key that archive-payments printed, of 43 characters');
  return publicSigningKeyOf(text);
}
