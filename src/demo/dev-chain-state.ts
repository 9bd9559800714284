import { copyFile, rename, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { callRpcText } from './json-rpc.js';
import { isErrno } from './processes.js';
import { writeAtomically } from './state-file.js';

/** Calls of {@link DevChainState.keepCopy} from one copy to the next. */
const CALLS_PER_COPY = 30;

/**
 * The chain's saved state. anvil writes it in place, every few seconds and when it ends, so a power cut in
 * that moment leaves half a file; therefore a whole copy is kept beside it.
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

  /** Writes the state now, in one step; anvil itself would only do it after its interval. */
  async save(rpcUrl: string): Promise<void> {
    const dump = await callRpcText(rpcUrl, 'anvil_dumpState');
    await writeAtomically(this.file, gunzipSync(Buffer.from(dump.slice(2), 'hex')));
  }

  /**
   * Renews the copy now and then. To be called every few seconds: a file that did not change from one
   * call to the next is not being written.
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
