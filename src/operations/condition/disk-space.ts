import { statfs } from 'node:fs/promises';

/** What a file system has, in bytes. */
export interface DiskSpace {
  /** For programs without root's reserve. */
  free: number;
  total: number;
}

/** Of the file system that holds a folder; null: it cannot be asked. */
export async function findDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    // Some network file systems report nothing at all.
    return blocks === 0 ? null : { free: bavail * bsize, total: blocks * bsize };
  } catch {
    // What cannot be read is shown as unknown.
    return null;
  }
}
