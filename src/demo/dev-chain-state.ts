import { copyFile, rename, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { callRpcText } from './json-rpc.js';
import { isErrno } from './processes.js';
import { writeAtomically } from './state-file.js';

/** Calls of {@link DevChainState.keepCopy} from one copy to the next. */
const CALLS_PER_COPY = 30;

/**
 * The chain's saved state. anvil overwrites the file every few seconds and on exit, so a power failure can truncate it;
 * therefore a complete copy is kept beside it.
 */
export class DevChainState {
  private readonly previous: string;
  private seen: number | null = null;
  private copied: number | null = null;
  private calls = 0;

  constructor(readonly file: string) {
    this.previous = `${file}.previous`;
  }

  async exists(): Promise<boolean> {
    return (await modifiedAt(this.file)) !== null;
  }

  /** Writes the state now, atomically; anvil itself would write it only after its interval. */
  async save(rpcUrl: string): Promise<void> {
    const dump = await callRpcText(rpcUrl, 'anvil_dumpState');
    await writeAtomically(this.file, gunzipSync(Buffer.from(dump.slice(2), 'hex')));
  }

  /**
   * Renews the copy from time to time. Call it every few seconds: a file that did not change since the last call is not
   * being written.
   */
  async keepCopy(): Promise<void> {
    const modified = await modifiedAt(this.file);
    const quiet = modified !== null && modified === this.seen;
    this.seen = modified;
    if (!quiet || modified === this.copied || this.calls++ % CALLS_PER_COPY !== 0) return;
    await copyFile(this.file, `${this.previous}.tmp`);
    if ((await modifiedAt(this.file)) !== modified) return;
    await rename(`${this.previous}.tmp`, this.previous);
    this.copied = modified;
  }

  /** Moves the unreadable file away and replaces it by the copy. @returns false if there is no copy */
  async restoreCopy(): Promise<boolean> {
    await rename(this.file, `${this.file}.damaged`);
    if ((await modifiedAt(this.previous)) === null) return false;
    await copyFile(this.previous, this.file);
    return true;
  }
}

/** Unix milliseconds; null if there is no such file. */
async function modifiedAt(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}
