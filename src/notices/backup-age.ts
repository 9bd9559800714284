import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * When the newest backup was finished; null: there is none, or the folder cannot be read.
 * @param folder of files named *.dump
 */
export async function findNewestBackup(folder: string): Promise<Date | null> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.dump'));
    const times = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).mtime));
    return times.reduce<Date | null>((newest, time) => (newest && newest > time ? newest : time), null);
  } catch {
    // A folder that the gateway cannot read holds no backup that it can vouch for.
    return null;
  }
}
