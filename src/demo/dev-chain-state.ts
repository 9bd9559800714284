import { copyFile, rename, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { callRpcText } from './json-rpc.js';
import { isErrno } from './processes.js';
import { writeAtomically } from './state-file.js';

/** A file that was not touched for this long is not being written. */
const QUIET_MS = 3_000;

/**
 * The chain's saved state. anvil writes it in place, every few seconds and when it ends, so a power cut in
 * that moment leaves half a file; therefore a whole copy is kept beside it.
 */
export class DevChainState {
  private readonly previous: string;

  constructor(readonly file: string) {
    this.previous = `${file}.previous`;
  }

  exists(): Promise<boolean> {
    return modifiedAt(this.file).then((time) => time !== null);
  }

  /** Writes the state now, in one step; anvil itself would only do it after its interval. */
  async save(rpcUrl: string): Promise<void> {
    const dump = await callRpcText(rpcUrl, 'anvil_dumpState');
    await writeAtomically(this.file, gunzipSync(Buffer.from(dump.slice(2), 'hex')));
  }

  /** Renews the copy, unless the file is being written right now or was just proved unreadable. */
  async keepCopy(): Promise<void> {
    const [before, copied] = [await modifiedAt(this.file), await modifiedAt(this.previous)];
    if (before === null || (copied !== null && copied >= before)) return;
    const now = await modifiedAt('/proc/self/stat').then((time) => time ?? before);
    if (now - before < QUIET_MS) return;
    await copyFile(this.file, `${this.previous}.tmp`);
    if ((await modifiedAt(this.file)) === before) await rename(`${this.previous}.tmp`, this.previous);
  }

  /** Puts the unreadable file aside and the copy in its place. @returns false when there is no copy */
  async restoreCopy(): Promise<boolean> {
    await rename(this.file, `${this.file}.damaged`);
    if ((await modifiedAt(this.previous)) === null) return false;
    await copyFile(this.previous, this.file);
    return true;
  }
}

/** Milliseconds since 1970, or null when there is no such file. */
async function modifiedAt(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}
