import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { DemoError } from './demo-error.js';
import { isErrno } from './processes.js';

/** The text of a file; null if there is no such file. */
export async function readTextOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/**
 * A small JSON object stored in the data directory; null if there is no such file.
 * @throws DemoError naming the file if it is not a JSON object
 */
export async function readState(file: string): Promise<Record<string, unknown> | null> {
  const text = await readTextOrNull(file);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DemoError(`${file} is damaged: it is not JSON`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DemoError(`${file} is damaged: it is not a JSON object`);
  return value as Record<string, unknown>;
}

/** Replaces a file atomically: a crash leaves either the old or the new content. */
export async function writeAtomically(file: string, content: string | Buffer, mode = 0o644): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** {@link writeAtomically} of a JSON object. */
export function writeState(file: string, value: Record<string, unknown>, mode = 0o644): Promise<void> {
  return writeAtomically(file, `${JSON.stringify(value, null, 2)}\n`, mode);
}
