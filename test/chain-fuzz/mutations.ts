import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One rule taken out of a copy of the built gateway, to see that the oracle misses it. */
export interface Patch {
  name: string;
  /** Below `dist/src`. */
  file: string;
  text: string;
  instead: string;
  /** What the oracle must say of it; being late does not count as being caught. */
  caught: RegExp;
}

export interface Mutation extends Patch {
  /** A program that shows it; others follow, should it not. */
  firstSeed: number;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'EVM: a payment counts although the frame around it was taken back',
    file: 'chains/evm/evm-traces.js',
    text: `return !reverted && !failed.has(path.join('.'));`,
    // A transaction that failed as a whole is still noticed: its receipt says so.
    instead: `return !failed.has('') && !failed.has(path.join('.'));`,
    firstSeed: 5,
    caught: /ethereum native: (mined|confirmed) /,
  },
  {
    name: 'EVM and Bitcoin: what is mined again in another block is taken for a replay',
    file: 'payments/transfers/payment-transfer.repository.js',
    text: 'where payment_transfers.block_hash is distinct from excluded.block_hash',
    instead: 'where false',
    firstSeed: 1,
    caught: /: (mined|confirmed) \d+ on chain, \d+ recorded/,
  },
  {
    name: 'Bitcoin: a transaction that only a stale block holds passes for a living one',
    file: 'chains/utxo/core-source.js',
    text: ` && header['confirmations'] > 0`,
    instead: '',
    firstSeed: 5,
    caught: /bitcoin native: waiting |waits, and no node holds it/,
  },
];

/** Makes a folder whose `dist` is the project's own but for one line. @throws Error when the line is not there */
export async function mutate(root: string, folder: string, mutation: Patch): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(root))
    if (name !== 'dist') await symlink(path.join(root, name), path.join(folder, name));
  await cp(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
  const file = path.join(folder, 'dist/src', mutation.file);
  const before = await readFile(file, 'utf8');
  const parts = before.split(mutation.text);
  if (parts.length !== 2)
    throw new Error(`${mutation.file} holds "${mutation.text}" ${parts.length - 1} times, not once`);
  await writeFile(file, parts.join(mutation.instead));
  return folder;
}
