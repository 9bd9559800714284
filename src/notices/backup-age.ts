import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The newest backup of a folder, or why nobody knows it. */
export type NewestBackup = { finishedAt: Date } | { problem: 'none' | 'unreadable' };

/** @param folder of files named *.dump */
export async function readNewestBackup(folder: string): Promise<NewestBackup> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.dump'));
    const times = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).mtime));
    const [newest] = times.toSorted((a, b) => b.getTime() - a.getTime());
    return newest ? { finishedAt: newest } : { problem: 'none' };
  } catch {
    // A folder that the gateway cannot read holds no backup that it can vouch for.
    return { problem: 'unreadable' };
  }
}

/** When the newest backup was finished; null: there is none, or the folder cannot be read. */
export async function findNewestBackup(folder: string): Promise<Date | null> {
  const newest = await readNewestBackup(folder);
  return 'finishedAt' in newest ? newest.finishedAt : null;
}
