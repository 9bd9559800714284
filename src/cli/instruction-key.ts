import type { Terminal } from './command.js';
import { InstructionSigner } from '../checkout/instruction-signer.service.js';
import type { Config } from '../config.js';
import { Keyring } from '../platform/kernel/keyring.js';

/** Needs no database: the keys follow from APP_KEYS. Returns the exit code. */
export function printInstructionKeys({ appKeys }: Config, terminal: Terminal): number {
  for (const [position, { x, kid }] of new InstructionSigner(new Keyring(appKeys)).publicKeys.entries())
    terminal.write(`key:        ${x}\nthumbprint: ${kid}\nAPP_KEYS:   ${appKeys[position]?.id}\n`);
  return 0;
}
